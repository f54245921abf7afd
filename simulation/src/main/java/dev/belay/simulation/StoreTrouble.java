package dev.belay.simulation;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faults of the store that affect every caller for a while. */
final class StoreTrouble {
  private static final Duration AWAY_MAX = Duration.ofSeconds(45);
  private static final Duration STUCK_MIN = Duration.ofMinutes(2);
  private static final Duration STUCK_MAX = Duration.ofMinutes(7);

  /** Calls whose repeated failure has a fallback. */
  private static final List<String> MAY_STICK =
      List.of("readNextDue", "readRuns", "readMailbox", "claim", "survey");

  private final World world;
  private Runnable onChange = () -> {};
  private boolean away;
  private @Nullable String stuck;

  StoreTrouble(World world) {
    this.world = world;
  }

  void onChange(Runnable told) {
    onChange = told;
  }

  boolean isAway() {
    return away;
  }

  boolean isStuck(String call) {
    return call.equals(stuck);
  }

  /** Stops answering. */
  void leave() {
    if (away) {
      return;
    }
    world.trace.say("store", "is away");
    away = true;
    onChange.run();
    world.after(
        world.lasting(world.chance.upTo(AWAY_MAX)),
        () -> {
          world.trace.say("store", "is back");
          away = false;
          onChange.run();
        });
  }

  /** Makes one kind of call fail every time, as with a locked or damaged table. */
  void stick() {
    if (stuck != null) {
      return;
    }
    stuck = world.chance.oneOf(MAY_STICK);
    world.trace.say("store", "fails from now on at each", stuck);
    world.after(
        world.lasting(world.chance.between(STUCK_MIN, STUCK_MAX)),
        () -> {
          world.trace.say("store", "can do it again");
          stuck = null;
        });
  }
}
