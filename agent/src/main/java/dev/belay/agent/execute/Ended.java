package dev.belay.agent.execute;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Finished;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The one end of a dispatch on this agent.
 *
 * @param startedAt empty when the command provably never ran
 * @param detail the last lines of stderr, at most 4 KiB
 * @param outputLostBytes output that could not be kept, because the disk was full or broken
 */
public record Ended(
    DispatchId dispatch,
    Optional<Instant> startedAt,
    Instant endedAt,
    Outcome outcome,
    String detail,
    long outputLostBytes) {

  /** None of its output was lost. */
  public Ended(
      DispatchId dispatch,
      Optional<Instant> startedAt,
      Instant endedAt,
      Outcome outcome,
      String detail) {
    this(dispatch, startedAt, endedAt, outcome, detail, 0);
  }

  public sealed interface Outcome {}

  /**
   * @param signal 0 unless one ended it; then {@code code} is 128 + signal
   * @param outOfMemory the kernel needed its memory
   */
  public record Exit(int code, int signal, boolean outOfMemory) implements Outcome {

    public Exit(int code, int signal) {
      this(code, signal, false);
    }

    /**
     * Java tells the death by signal n as exit code 128 + n and cannot tell it from a program that
     * exits with that number itself; shells do the same on purpose, so it is read as a signal.
     */
    public static Exit of(int code) {
      return new Exit(code, code > 128 && code <= 192 ? code - 128 : 0);
    }
  }

  public record TimedOut(Duration limit) implements Outcome {}

  public record Aborted(String reason) implements Outcome {}

  public record StartFailed(String message) implements Outcome {}

  public Finished toFinished() {
    Finished.Builder finished =
        Finished.newBuilder()
            .setDispatchId(dispatch.toString())
            .setStartedAtMs(startedAt.map(Instant::toEpochMilli).orElse(0L))
            .setEndedAtMs(endedAt.toEpochMilli())
            .setDetail(detail)
            .setOutputLostBytes(outputLostBytes);
    switch (outcome) {
      case Exit(int code, int signal, boolean outOfMemory) ->
          finished.getExitBuilder().setCode(code).setSignal(signal).setOutOfMemory(outOfMemory);
      case TimedOut(Duration limit) -> finished.getTimedOutBuilder().setLimitMs(limit.toMillis());
      case Aborted(String reason) -> finished.getAbortedBuilder().setReason(reason);
      case StartFailed(String message) -> finished.getStartFailedBuilder().setMessage(message);
    }
    return finished.build();
  }
}
