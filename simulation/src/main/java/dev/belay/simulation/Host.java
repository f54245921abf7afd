package dev.belay.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** A process: it does nothing once it is dead; while it is frozen, all its events wait. */
final class Host {
  private final World world;
  private final Consumer<Runnable> runner;
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private boolean dead;
  private boolean frozen;

  Host(World world, Consumer<Runnable> runner) {
    this.world = world;
    this.runner = runner;
  }

  void later(Duration delay, Runnable work) {
    world.after(delay, () -> run(work));
  }

  void run(Runnable work) {
    if (frozen && !dead) {
      held.add(work);
    } else if (!dead) {
      runner.accept(work);
    }
  }

  void freeze() {
    frozen = true;
  }

  /** Continues with the events that arrived meanwhile, in order. */
  void thaw() {
    frozen = false;
    while (!held.isEmpty()) {
      later(Duration.ZERO, held.poll());
    }
  }

  void die() {
    dead = true;
    held.clear();
  }

  boolean isDead() {
    return dead;
  }

  boolean isFrozen() {
    return frozen;
  }

  boolean isAwake() {
    return !dead && !frozen;
  }
}
