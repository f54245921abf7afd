package dev.belay.simulation;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * People who write files with timed triggers, change and delete them, and pause and resume triggers
 * and workflows, while instants are due.
 */
final class Scheduling {
  private static final double USED = 0.7;
  private static final double WITHOUT = 0.2;
  private static final double DELETES = 0.3;
  private static final double PAUSES = 0.6;
  private static final int CHANGES_MAX = 3;
  private static final Duration PAUSED_MAX = Duration.ofSeconds(40);
  private static final Duration AWAY_MAX = Duration.ofSeconds(20);

  private final World world;
  private final Asking asking;

  /** Sends a request to some replica, and repeats it until it is answered. */
  @FunctionalInterface
  interface Asking {
    void ask(Duration delay, String what, Consumer<Api> request);
  }

  Scheduling(World world, Asking asking) {
    this.world = world;
    this.asking = asking;
  }

  void begin(Duration within) {
    for (String workflow : Timetables.NAMES) {
      if (world.chance.happens(USED)) {
        write(workflow, Duration.ofSeconds(5));
        for (int left = world.chance.between(0, CHANGES_MAX); left > 0; left--) {
          write(workflow, within);
        }
        if (world.chance.happens(DELETES)) {
          delete(workflow, within);
        }
        pauses(workflow, within);
      }
    }
  }

  private void write(String workflow, Duration within) {
    var file =
        world.chance.happens(WITHOUT)
            ? Timetables.withoutTriggers(workflow)
            : world.chance.oneOf(Timetables.filesOf(workflow));
    asking.ask(world.chance.upTo(within), "write " + workflow, intake -> intake.register(file));
  }

  private void delete(String workflow, Duration within) {
    var from = world.chance.upTo(within);
    var again = world.chance.oneOf(Timetables.filesOf(workflow));
    asking.ask(from, "delete " + workflow, intake -> intake.delete(workflow));
    asking.ask(
        from.plus(world.chance.upTo(AWAY_MAX)),
        "write again " + workflow,
        intake -> intake.register(again));
  }

  private void pauses(String workflow, Duration within) {
    if (world.chance.happens(PAUSES)) {
      var from = world.chance.upTo(within);
      asking.ask(from, "pause " + workflow, intake -> intake.pause(workflow));
      asking.ask(
          from.plus(world.chance.upTo(PAUSED_MAX)),
          "resume " + workflow,
          intake -> intake.resume(workflow));
    }
    for (String trigger : Timetables.TRIGGERS) {
      if (world.chance.happens(PAUSES)) {
        var from = world.chance.upTo(within);
        var name = workflow + "/" + trigger;
        asking.ask(from, "pause trigger " + name, intake -> intake.pauseTrigger(workflow, trigger));
        asking.ask(
            from.plus(world.chance.upTo(PAUSED_MAX)),
            "resume trigger " + name,
            intake -> intake.resumeTrigger(workflow, trigger));
      }
    }
  }

  /** A pause that took effect late would never end. */
  void resumeAll() {
    for (String workflow : Timetables.NAMES) {
      asking.ask(Duration.ZERO, "resume " + workflow, intake -> intake.resume(workflow));
      for (String trigger : Timetables.TRIGGERS) {
        asking.ask(
            Duration.ZERO,
            "resume trigger " + workflow + "/" + trigger,
            intake -> intake.resumeTrigger(workflow, trigger));
      }
    }
  }

  /** Else runs would never end. */
  void end() {
    for (String workflow : Timetables.NAMES) {
      asking.ask(
          Duration.ZERO,
          "end the triggers of " + workflow,
          intake -> intake.register(Timetables.withoutTriggers(workflow)));
    }
  }
}
