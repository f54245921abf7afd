package dev.belay.store.read;

import dev.belay.domain.run.RunState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event that somebody sent.
 *
 * @param key the sender's
 * @param source api or hook
 * @param runId the run whose task sent it
 * @param depth how many runs, one the cause of the next, led to it
 */
public record Event(
    UUID id,
    String tenant,
    String name,
    @Nullable String key,
    String source,
    Instant receivedAt,
    String receivedBy,
    @Nullable UUID runId,
    int depth) {

  /** With its data. */
  public record Detail(
      UUID id,
      String tenant,
      String name,
      @Nullable String key,
      Json data,
      String source,
      Instant receivedAt,
      String receivedBy,
      @Nullable UUID runId,
      int depth) {}

  /** What it meant for one trigger. */
  public record Fire(
      String workflow,
      String trigger,
      String outcome,
      @Nullable String reason,
      @Nullable UUID runId,
      @Nullable Instant decidedAt) {}

  /** What the end of a run meant for a trigger that waited for it. */
  public record ChainFire(
      String workflow,
      String trigger,
      int generation,
      RunState state,
      String outcome,
      @Nullable String reason,
      @Nullable UUID runId,
      Instant endedAt,
      @Nullable Instant decidedAt) {}
}
