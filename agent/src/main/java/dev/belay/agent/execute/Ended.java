package dev.belay.agent.execute;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.Outcome;
import dev.belay.protocol.agent.v1.Finished;
import java.time.Instant;
import java.util.Optional;

/**
 * The one end of a dispatch on this agent.
 *
 * @param startedAt empty when the command provably never ran
 * @param detail the last lines of stderr, at most 4 KiB
 * @param outputLostBytes output that the agent could not write, because the disk was full or broken
 */
public record Ended(
    DispatchId dispatch,
    TaskId task,
    Optional<Instant> startedAt,
    Instant endedAt,
    Outcome.Reported outcome,
    String detail,
    long outputLostBytes) {

  /** There never was a process. */
  public static Ended startFailed(DispatchId dispatch, TaskId task, Instant at, String message) {
    return new Ended(dispatch, task, Optional.empty(), at, new Outcome.StartFailed(message), "", 0);
  }

  public Finished toFinished() {
    Finished.Builder finished =
        Finished.newBuilder()
            .setDispatchId(dispatch.toString())
            .setTaskId(task.toString())
            .setStartedAtMs(startedAt.map(Instant::toEpochMilli).orElse(0L))
            .setEndedAtMs(endedAt.toEpochMilli())
            .setDetail(detail)
            .setOutputLostBytes(outputLostBytes);
    switch (outcome) {
      case Outcome.Exited(var code, var signal, var outOfMemory) ->
          finished.getExitBuilder().setCode(code).setSignal(signal).setOutOfMemory(outOfMemory);
      case Outcome.TimedOut(var limit) ->
          finished.getTimedOutBuilder().setLimitMs(limit.toMillis());
      case Outcome.Stalled(var limit) -> finished.getStalledBuilder().setLimitMs(limit.toMillis());
      case Outcome.Aborted(var reason) -> finished.getAbortedBuilder().setReason(reason);
      case Outcome.StartFailed(var message) -> finished.getStartFailedBuilder().setMessage(message);
    }
    return finished.build();
  }
}
