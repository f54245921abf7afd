package dev.belay.store.intake;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for a run.
 *
 * @param version null means the latest
 * @param params computes the run's parameters once its id and time are known
 */
public record NewRun(
    String tenant,
    String workflow,
    @Nullable Integer version,
    @Nullable IdempotencyKey key,
    ParamsOf params) {

  /**
   * The facts that parameters may depend on.
   *
   * @param spec of the workflow version, as JSON
   */
  public record Facts(UUID id, String tenant, String workflow, Instant createdAt, String spec) {}

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
