package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.simulation.Intake.WantedTask;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.WorkflowFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Bring work and take some of it back. A call that was not answered is made again, with its key.
 */
final class Clients {
  private static final Duration RETRY = Duration.ofMillis(700);
  private static final Duration CANCEL_SOON = Duration.ofMillis(80);
  private static final double CANCEL_LATER = 0.5;
  private static final Duration CANCEL_MAX = Duration.ofSeconds(20);
  private static final double CANCELS_TASK = 0.25;
  private static final double CANCELS_RUN = 0.3;
  private static final int BATCH_MAX = 4;

  private final World world;
  private int calls;
  private int tasksWanted;

  Clients(World world) {
    this.world = world;
  }

  /** Everything is asked for within this time. */
  void begin(int taskCount, int runCount, Duration within) {
    for (int left = taskCount; left > 0; ) {
      int size = Math.min(left, world.chance.between(1, BATCH_MAX));
      left -= size;
      submit("tasks-" + left, size, within);
    }
    for (int run = 0; run < runCount; run++) {
      trigger("run-" + run, Graphs.ALL.get(run % Graphs.ALL.size()), within);
    }
  }

  boolean areAnswered() {
    return calls == 0;
  }

  /** Alone and in runs. */
  int tasksWanted() {
    return tasksWanted;
  }

  private void submit(String key, int size, Duration within) {
    tasksWanted += size;
    var wanted = new ArrayList<WantedTask>();
    for (int i = 0; i < size; i++) {
      wanted.add(task(key + "-" + i));
    }
    call(
        world.chance.upTo(within),
        "submit " + key,
        intake -> intake.submit(key, wanted),
        accepted -> accepted.forEach(this::mayCancel));
  }

  private WantedTask task(String name) {
    var codes = world.chance.oneOf(List.of("0", "0", "0", "1", "99", "1,0", "1,1,0", "3"));
    var limit = world.chance.happens(0.1) ? Duration.ofSeconds(2) : null;
    var backoff = new RetryPolicy.Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), true);
    var policy =
        new RunPolicy(
            new RetryPolicy(world.chance.between(0, 3), backoff, 3),
            RunPolicy.EXIT_CODES_DEFAULT,
            limit);
    var millis = Long.toString(world.chance.upTo(Duration.ofSeconds(6)).toMillis());
    return new WantedTask(
        name,
        world.chance.between(1, 100),
        world.chance.happens(0.2) ? "other" : "default",
        new Work(List.of("run", millis, codes), null, Map.of(), policy),
        null);
  }

  private void trigger(String key, String file, Duration within) {
    if (!(WorkflowFile.parse(key, file) instanceof Parsed.Valid(WorkflowSpec spec))) {
      throw new IllegalArgumentException("no valid workflow: " + file);
    }
    tasksWanted += spec.tasks().size();
    call(
        world.chance.upTo(within),
        "trigger " + key,
        intake -> {
          intake.register(spec);
          return intake.trigger(key, spec.name());
        },
        this::mayCancel);
  }

  private void mayCancel(TaskId task) {
    if (world.chance.happens(CANCELS_TASK)) {
      call(
          world.chance.mostly(CANCEL_SOON, CANCEL_LATER, CANCEL_MAX),
          "cancel task " + Trace.brief(task),
          intake -> {
            world.ledger.cancelled(task);
            intake.cancelTask(task);
            return task;
          },
          _ -> {});
    }
  }

  private void mayCancel(RunId run) {
    if (world.chance.happens(CANCELS_RUN)) {
      call(
          world.chance.mostly(CANCEL_SOON, CANCEL_LATER, CANCEL_MAX),
          "cancel run " + Trace.brief(run),
          intake -> {
            world.ledger.cancelled(run);
            intake.cancelRun(run);
            return run;
          },
          _ -> {});
    }
  }

  private <T> void call(
      Duration delay, String what, Function<Intake, T> request, Consumer<T> answered) {
    calls++;
    world.after(delay, () -> attempt(what, request, answered));
  }

  private <T> void attempt(String what, Function<Intake, T> request, Consumer<T> answered) {
    var server = world.server();
    if (server != null) {
      try {
        T answer = request.apply(server.intake());
        calls--;
        world.trace.say("client", what);
        answered.accept(answer);
        return;
      } catch (StoreFailed failed) {
        world.trace.say("client", what + ": " + failed.getMessage());
      } catch (ServerDied died) {
        world.trace.say("client", what + ": no answer");
      }
    }
    world.after(RETRY, () -> attempt(what, request, answered));
  }
}
