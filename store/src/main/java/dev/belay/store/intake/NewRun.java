package dev.belay.store.intake;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for a run.
 *
 * @param version null means the latest
 * @param logicalDate the date that the run stands for; null means the time of the trigger
 * @param params computes the run's parameters once its id and time are known
 */
public record NewRun(
    String tenant,
    String workflow,
    @Nullable Integer version,
    @Nullable Instant logicalDate,
    @Nullable IdempotencyKey key,
    ParamsOf params) {

  /** A run that stands for the time of its trigger. */
  public NewRun(
      String tenant,
      String workflow,
      @Nullable Integer version,
      @Nullable IdempotencyKey key,
      ParamsOf params) {
    this(tenant, workflow, version, null, key, params);
  }

  /**
   * The facts that parameters may depend on.
   *
   * @param spec of the workflow version, as JSON
   */
  public record Facts(
      UUID id,
      String tenant,
      String workflow,
      Instant createdAt,
      Instant logicalDate,
      String spec) {}

  /** Resolves and checks parameters. This may be slow. */
  @FunctionalInterface
  public interface ParamsOf {
    Params of(Facts facts);
  }

  /** The parameters of a run. */
  public sealed interface Params {
    /**
     * @param json an object
     */
    record Resolved(String json) implements Params {}

    record Refused(List<String> problems) implements Params {}
  }
}
