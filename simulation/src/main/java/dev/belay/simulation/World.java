package dev.belay.simulation;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.OrderedIds;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What all parts of one simulation share: time, chance, trouble, the trace, and who serves now. */
final class World {
  final Scheduler scheduler = new Scheduler();
  final Trace trace = new Trace(scheduler);
  final Chance chance;
  final Ids ids;
  final Ledger ledger = new Ledger();
  private final Faults faults;
  private boolean calm;
  private @Nullable SimulatedServer server;

  World(RandomGenerator random, Faults faults) {
    this.chance = new Chance(random);
    this.ids = new OrderedIds(scheduler, random);
    this.faults = faults;
  }

  Faults faults() {
    return faults;
  }

  /** Draws only while there is trouble. */
  boolean goesWrong(double probability) {
    return !calm && chance.happens(probability);
  }

  boolean isCalm() {
    return calm;
  }

  void calmDown() {
    calm = true;
    trace.say("world", "is calm from now on");
  }

  void after(Duration delay, Runnable action) {
    scheduler.after(delay, action);
  }

  /** Again and again at random times, until it is calm. */
  void every(Duration mean, Runnable trouble) {
    after(
        chance.about(mean),
        () -> {
          if (!calm) {
            trouble.run();
            every(mean, trouble);
          }
        });
  }

  /** Where workers and clients find the control plane; null while nobody serves. */
  @Nullable SimulatedServer server() {
    return server;
  }

  void serve(@Nullable SimulatedServer now) {
    server = now;
  }
}
