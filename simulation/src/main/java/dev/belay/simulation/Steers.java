package dev.belay.simulation;

import dev.belay.domain.steer.Selection;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.simulation.Observed.TaskChange;
import java.time.Duration;
import java.util.function.Consumer;

/** People who see what a task became, and change that. They stop when it is calm. */
final class Steers {
  private static final double ABOUT_A_CHANGE = 0.03;
  private static final double ABOUT_AN_END = 0.06;

  /** Of the tasks that they block, somebody unblocks each one. */
  private static final Duration SOON = Duration.ofMillis(60);

  private static final double LATER = 0.4;
  private static final Duration LATE_MAX = Duration.ofSeconds(30);

  private final World world;
  private final Asking asking;

  /** Sends a request to some replica. */
  @FunctionalInterface
  interface Asking {
    void ask(Duration delay, String what, Consumer<Api> request);
  }

  Steers(World world, Asking asking) {
    this.world = world;
    this.asking = asking;
  }

  void saw(TaskChange change) {
    boolean over = change.to().isTerminal();
    if (world.isCalm() || !world.chance.happens(over ? ABOUT_AN_END : ABOUT_A_CHANGE)) {
      return;
    }
    var delay = world.chance.mostly(SOON, LATER, LATE_MAX);
    switch (world.chance.between(0, over ? 4 : 9)) {
      case 0, 1 -> clear(change, delay);
      case 2 -> ask(change, delay, "retry", api -> api.retryTask(change.task()));
      case 3 -> mark(change, delay, TaskState.SUCCEEDED);
      case 4 -> mark(change, delay, TaskState.FAILED);
      case 5, 6 -> ask(change, delay, "skip", api -> api.skip(change.task()));
      case 7, 8 -> ask(change, delay, "block", api -> api.block(change.task()));
      default -> {
        int priority = world.chance.between(1, 100);
        ask(change, delay, "prioritize", api -> api.prioritize(change.task(), priority));
      }
    }
  }

  private void clear(TaskChange change, Duration delay) {
    var selection = new Selection(world.chance.happens(0.3), true);
    ask(change, delay, "clear", api -> api.clear(change.task(), selection, false));
  }

  private void mark(TaskChange change, Duration delay, TaskState as) {
    world.ledger.marked(change.task(), as);
    ask(change, delay, "mark as " + as, api -> api.mark(change.task(), as));
  }

  /** One request about a task. */
  @FunctionalInterface
  private interface Wanted {
    TaskSteer of(Api api);
  }

  private void ask(TaskChange change, Duration delay, String what, Wanted wanted) {
    world.ledger.steered(change.task(), change.run());
    asking.ask(
        delay,
        what + " task " + Trace.brief(change.task()),
        api -> {
          // Nobody would end what is asked for now.
          if (!world.isCalm() && wanted.of(api) instanceof TaskSteer.Done) {
            world.trace.say("client", "has done to task: " + what, change.task());
          }
        });
  }
}
