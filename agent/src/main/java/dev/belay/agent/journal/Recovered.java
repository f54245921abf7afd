package dev.belay.agent.journal;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.protocol.agent.v1.Finished;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

/**
 * What the journal of earlier sessions says.
 *
 * @param earlierSessions whose processes may still be there; end them before going on
 * @param complete false when entries may be missing: a dispatch that is not here may have started
 * @param rebooted the machine was started anew since the last session
 * @param unsettled in the order in which they were taken
 * @param settled the last settled ones, oldest first
 */
public record Recovered(
    Set<SessionId> earlierSessions,
    boolean complete,
    boolean rebooted,
    List<Dispatched> unsettled,
    SequencedSet<DispatchId> settled) {

  /** One dispatch without a settlement. */
  public record Dispatched(DispatchId dispatch, Optional<TaskId> task, Phase phase) {}

  public sealed interface Phase {}

  /** Taken, provably never started. */
  public record Preparing() implements Phase {}

  /** It ran when its agent died. */
  public record Died(Instant startedAt, long pid) implements Phase {}

  /** Its outcome was not settled; send it. */
  public record Over(Finished finished) implements Phase {}
}
