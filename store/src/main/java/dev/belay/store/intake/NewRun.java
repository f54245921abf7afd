package dev.belay.store.intake;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run that somebody asks for.
 *
 * @param version null means the latest
 * @param params makes the run's parameters once its id and time are known
 */
public record NewRun(
    String tenant,
    String workflow,
    @Nullable Integer version,
    @Nullable IdempotencyKey key,
    ParamsOf params) {

  /**
   * What the parameters may depend on.
   *
   * @param spec of the workflow version, as JSON
   */
  public record Facts(UUID id, String tenant, String workflow, Instant createdAt, String spec) {}

  /** Resolves and checks parameters; it may take a while. */
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
