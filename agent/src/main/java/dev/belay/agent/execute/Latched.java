package dev.belay.agent.execute;

import dev.belay.domain.id.DispatchId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** A dispatch that waits at its latch and runs when the latch opens. Thread-safe. */
public non-sealed interface Latched extends Prepared {

  DispatchId dispatch();

  /** The process that runs it. */
  long pid();

  /** Lets it run. Journal the start before this call: until then it has provably not started. */
  void open(Instant at);

  /**
   * Ends it; the first reason wins. Has no effect after its end.
   *
   * @param grace from SIGTERM to SIGKILL, unless the dispatch names its own
   */
  void terminate(String reason, Duration grace);

  /** Completes at the end, on a thread with other work: dependent actions must be short. */
  CompletionStage<Ended> ended();
}
