package dev.belay.store.read;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.UUID;
import org.jdbi.v3.core.mapper.Nested;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a run.
 *
 * @param params null in a list when they are too big for it
 * @param logicalDate the date that the run stands for
 * @param timeoutAt when it is ended, if it is still RUNNING
 * @param deadlineAt when people are told, if it is still open
 */
public record Run(
    UUID id,
    String tenant,
    String workflow,
    int version,
    RunState state,
    @Nullable String reason,
    @Nullable Json params,
    int generation,
    Instant logicalDate,
    Instant createdAt,
    String createdBy,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Instant cancelRequestedAt,
    @Nullable Instant timeoutAt,
    @Nullable Instant deadlineAt,
    @Nested @Nullable Cause cause) {

  /**
   * What started it; null when a person did.
   *
   * @param trigger its name
   * @param upstreamRunId the run whose end started it
   */
  public record Cause(
      @Nullable String trigger,
      @Nullable UUID backfillId,
      @Nullable UUID upstreamRunId,
      @Nullable UUID eventId) {}
}
