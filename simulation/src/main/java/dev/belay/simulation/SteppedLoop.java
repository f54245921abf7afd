package dev.belay.simulation;

import dev.belay.engine.loop.Signal;
import java.time.Duration;
import java.util.function.Supplier;

/** A loop of the server: steps when woken or when its sleep is over, and never inside itself. */
final class SteppedLoop {
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
  private static final Duration WAKING = Duration.ofMillis(1);

  private final SimulatedServer server;
  private final World world;
  private final String name;
  private final Supplier<Duration> step;
  private final Signal signal;
  private boolean stepping;
  private long sleep;

  SteppedLoop(
      SimulatedServer server, World world, String name, Supplier<Duration> step, Signal signal) {
    this.server = server;
    this.world = world;
    this.name = name;
    this.step = step;
    this.signal = signal;
  }

  /** Checks whether it was woken. */
  void attend() {
    if (!stepping && signal.take()) {
      sleep(WAKING);
    }
  }

  void sleep(Duration length) {
    long mine = ++sleep;
    server.later(
        length,
        () -> {
          if (mine == sleep && !stepping) {
            step();
          }
        });
  }

  private void step() {
    stepping = true;
    Duration next = PAUSE_AFTER_FAILURE;
    try {
      next = step.get();
    } catch (RuntimeException failed) {
      world.trace.say(server.name(), "fails in its loop", name);
      world.trace.explain(server.name(), "because " + failed);
    } finally {
      stepping = false;
    }
    sleep(next);
  }
}
