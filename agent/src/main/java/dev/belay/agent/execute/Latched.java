package dev.belay.agent.execute;

import dev.belay.domain.id.DispatchId;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** A dispatch that is ready to run and does so when its latch is opened. Thread-safe. */
public non-sealed interface Latched extends Prepared {

  DispatchId dispatch();

  /** The process that runs it. */
  long pid();

  /**
   * Lets it run. Journal the start before this call: up to here, and only up to here, it has
   * provably not started.
   */
  void open(Instant at);

  /** Ends it; the first reason wins. Without effect when it has already ended. */
  void terminate(String reason, Duration grace);

  /** Completed at the end, on a thread that has more to do: what depends on it must be short. */
  CompletionStage<Ended> ended();
}
