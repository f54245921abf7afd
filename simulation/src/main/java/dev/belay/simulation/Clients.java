package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.spec.DueTime;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RetryPolicy;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.RunPolicy.ExitMeaning;
import dev.belay.domain.spec.RunPolicy.Fencing;
import dev.belay.domain.spec.RunPolicy.OnWorkerLost;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.steer.Terminate;
import dev.belay.simulation.Intake.WantedTask;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Submit, steer and cancel work. A client repeats an unanswered call with the same key, perhaps to
 * another replica; the first call may still take effect much later.
 */
final class Clients {
  private static final Duration PATIENCE = Duration.ofSeconds(4);
  private static final Duration WAY_MAX = Duration.ofMillis(20);
  private static final double ANSWER_LOST = 0.08;
  private static final Duration CANCEL_SOON = Duration.ofMillis(80);
  private static final double CANCEL_LATER = 0.6;
  private static final Duration CANCEL_MAX = Duration.ofSeconds(40);
  private static final double CANCELS_TASK = 0.15;
  private static final double TERMINATES_TASK = 0.04;
  private static final List<AbortReason> REASONS =
      Arrays.stream(AbortReason.values()).filter(AbortReason::isForPeople).toList();
  private static final double CANCELS_RUN = 0.2;
  private static final double RETRIES_RUN = 0.5;
  private static final double PAUSES = 0.25;
  private static final Duration PAUSED_MAX = Duration.ofSeconds(60);
  private static final Duration BLOCKED_MAX = Duration.ofSeconds(60);
  private static final Map<Integer, ExitMeaning> EXIT_CODES =
      Map.of(99, ExitMeaning.SKIPPED, 75, ExitMeaning.UNAVAILABLE);
  private static final double TIMED = 0.2;
  private static final Duration TIMER_MAX = Duration.ofSeconds(60);
  private static final int BATCH_MAX = 4;
  private static final String RARE = "rare";

  /** The task queue of tasks that the leader gives up in some worlds. */
  static final TaskQueue HOPELESS =
      QueueOf.alone(WorkflowSpec.DEFAULT_TENANT, RARE, RunPolicy.DEFAULT);

  private static final int RETRIES_MAX = 16;

  private final World world;
  private final Replicas replicas;
  private final Consumer<List<TaskId>> accepted;
  private final Steers steers;
  private final Scheduling scheduling;
  private final Backfills backfills;
  private final Limiting limiting;
  private int open;
  private int tasksWanted;

  /**
   * @param accepted receives tasks when their submit was answered
   */
  Clients(World world, Replicas replicas, Observed observed, Consumer<List<TaskId>> accepted) {
    this.world = world;
    this.replicas = replicas;
    this.accepted = accepted;
    this.steers = new Steers(world, this::steer);
    this.scheduling = new Scheduling(world, this::steer);
    this.backfills = new Backfills(world, observed, this::steer);
    this.limiting = new Limiting(world, this::steer);
  }

  /** Somebody may change what the task became. */
  void saw(Observed.TaskChange change) {
    steers.saw(change);
  }

  /** Spreads all requests over this time. */
  void begin(int taskCount, int runCount, Duration within) {
    limiting.begin(within);
    for (int left = taskCount; left > 0; ) {
      int size = Math.min(left, world.chance.between(1, BATCH_MAX));
      left -= size;
      submit("tasks-" + left, size, within);
    }
    for (int run = 0; run < runCount; run++) {
      trigger("run-" + run, world.chance.oneOf(Graphs.ALL), within);
    }
    for (var graph : new LinkedHashSet<>(Graphs.ALL)) {
      if (runCount > 0 && world.chance.happens(PAUSES)) {
        pause(graph.name(), within);
      }
    }
    if (world.scenario.hasSchedules()) {
      scheduling.begin(within);
    }
    if (world.scenario.hasBackfills()) {
      backfills.begin(within);
    }
  }

  Backfills backfills() {
    return backfills;
  }

  /** A pause that took effect late would never end. */
  void resumeAll() {
    Graphs.ALL.forEach(
        graph -> steer(Duration.ZERO, "resume " + graph.name(), resume(graph.name())));
    if (world.scenario.hasSchedules()) {
      scheduling.resumeAll();
    }
    backfills.resumeAll();
    limiting.end();
  }

  void endTriggers() {
    scheduling.end();
  }

  boolean areAnswered() {
    return open == 0;
  }

  /** Standalone and in runs. */
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
        tasks -> {
          accepted.accept(tasks);
          tasks.forEach(this::mayCancel);
        });
  }

  private WantedTask task(String name) {
    var chance = world.chance;
    var codes =
        chance.oneOf(
            List.of("0", "0", "0", "0", "1", "99", "1,0", "1,1,0", "3", "75,0", "75,75,0"));
    var backoff = new RetryPolicy.Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), true);
    boolean strict = chance.happens(0.4);
    var policy =
        new RunPolicy(
            new RetryPolicy(
                chance.between(0, 3),
                backoff,
                chance.between(0, 2),
                chance.between(0, 1),
                chance.between(0, 1),
                null),
            EXIT_CODES,
            chance.happens(0.1) ? Duration.ofSeconds(2) : null,
            new RunPolicy.WorkerLoss(
                chance.happens(0.1) ? OnWorkerLost.FAIL : OnWorkerLost.RETRY,
                strict ? Fencing.STRICT : Fencing.TOKEN));
    var length =
        chance.happens(strict ? 0.2 : 0.4)
            ? chance.upTo(Duration.ofSeconds(6))
            : chance.happens(0.9)
                ? chance.upTo(Duration.ofSeconds(70))
                : chance.upTo(Rules.RUNNING_MAX.multipliedBy(2));
    return new WantedTask(
        name,
        chance.between(1, 100),
        chance.happens(0.15) ? "other" : chance.happens(0.15) ? RARE : "default",
        new Work(List.of("run", Long.toString(length.toMillis()), codes), null, Map.of(), policy),
        chance.happens(0.15) ? chance.between(Duration.ofSeconds(1), Duration.ofSeconds(90)) : null,
        chance.happens(TIMED) ? timer() : null,
        limiting.keys());
  }

  /** A point in time may be over when its submit arrives, or when the database's clock steps. */
  private DueTime timer() {
    var wait = world.chance.upTo(TIMER_MAX);
    return world.chance.happens(0.5)
        ? DueTime.after(Duration.ofMillis(wait.toMillis()))
        : DueTime.at(world.scheduler.instant().plus(wait).truncatedTo(ChronoUnit.MILLIS));
  }

  private void trigger(String key, WorkflowSpec shape, Duration within) {
    WorkflowSpec spec = limiting.limited(shape);
    tasksWanted += spec.tasks().size();
    call(
        world.chance.upTo(within),
        "trigger " + key,
        intake -> {
          intake.register(spec);
          return intake.trigger(key, spec.name());
        },
        run -> {
          mayCancel(run);
          mayRetry(run);
        });
  }

  private void mayCancel(TaskId task) {
    if (world.chance.happens(CANCELS_TASK)) {
      world.ledger.cancelled(task);
      steer(
          world.chance.mostly(CANCEL_SOON, CANCEL_LATER, CANCEL_MAX),
          "cancel task " + Trace.brief(task),
          intake -> intake.cancelTask(task));
    }
  }

  /** Somebody, or a part of Belay to come, ends a task that has just changed, or soon after. */
  void mayTerminate(TaskId task) {
    if (world.isCalm() || !world.chance.happens(TERMINATES_TASK)) {
      return;
    }
    var reason = world.chance.oneOf(REASONS);
    if (reason == AbortReason.CANCELLED) {
      world.ledger.cancelled(task);
    }
    steer(
        world.chance.mostly(CANCEL_SOON, CANCEL_LATER, CANCEL_MAX),
        "terminate task " + Trace.brief(task) + " " + reason.word(),
        intake -> {
          if (intake.terminateTask(task, reason) instanceof Terminate.Asked(var dispatch)) {
            world.ledger.aborted(dispatch, reason);
          }
        });
  }

  private void mayCancel(RunId run) {
    if (world.chance.happens(CANCELS_RUN)) {
      world.ledger.cancelled(run);
      steer(
          world.chance.mostly(CANCEL_SOON, CANCEL_LATER, CANCEL_MAX),
          "cancel run " + Trace.brief(run),
          intake -> intake.cancelRun(run));
    }
  }

  /** Asks several times, because it is refused until the run is over. */
  private void mayRetry(RunId run) {
    if (!world.chance.happens(RETRIES_RUN)) {
      return;
    }
    world.ledger.retried(run);
    for (int i = 0; i < RETRIES_MAX; i++) {
      steer(
          world.chance.upTo(world.scenario.trouble()),
          "retry run " + Trace.brief(run),
          intake -> {
            boolean done = intake.retryRun(run);
            if (done) {
              world.trace.say("client", "has retried run", run);
            }
          });
    }
  }

  /** Somebody sees a task that waits for a person; meanwhile it may be cancelled, or too late. */
  void unblock(TaskId task) {
    steer(
        world.chance.upTo(BLOCKED_MAX),
        "unblock task " + Trace.brief(task),
        intake -> {
          boolean done = intake.unblockTask(task);
          if (done) {
            world.trace.say("client", "has unblocked task", task);
          }
        });
  }

  private void pause(String workflow, Duration within) {
    var from = world.chance.upTo(within);
    steer(from, "pause " + workflow, intake -> intake.pause(workflow));
    steer(from.plus(world.chance.upTo(PAUSED_MAX)), "resume " + workflow, resume(workflow));
  }

  private static Consumer<Api> resume(String workflow) {
    return intake -> intake.resume(workflow);
  }

  /** A person believes that it will not return. */
  void remove(WorkerId worker) {
    steer(
        Duration.ZERO,
        "remove worker " + Trace.brief(worker),
        intake -> {
          world.hearing.removed(worker);
          intake.removeWorker(worker);
        });
  }

  private void steer(Duration delay, String what, Consumer<Api> request) {
    call(
        delay,
        what,
        intake -> {
          request.accept(intake);
          return true;
        },
        _ -> {});
  }

  /** One request, until it is answered. */
  private static final class Call<T> {
    final String what;
    final Function<Api, T> request;
    final Consumer<T> answered;
    boolean done;

    Call(String what, Function<Api, T> request, Consumer<T> answered) {
      this.what = what;
      this.request = request;
      this.answered = answered;
    }
  }

  private <T> void call(
      Duration delay, String what, Function<Api, T> request, Consumer<T> answered) {
    open++;
    var call = new Call<>(what, request, answered);
    world.after(delay, () -> attempt(call));
  }

  private <T> void attempt(Call<T> call) {
    if (call.done) {
      return;
    }
    replicas
        .any()
        .ifPresent(server -> server.later(world.chance.upTo(WAY_MAX), () -> serve(call, server)));
    world.after(PATIENCE, () -> attempt(call));
  }

  private <T> void serve(Call<T> call, SimulatedServer server) {
    T answer;
    try {
      answer = call.request.apply(server.api());
    } catch (RuntimeException failed) {
      world.trace.say("client", "is refused:", call.what);
      world.trace.explain("client", "because " + failed);
      return;
    }
    if (!world.goesWrong(FaultKind.ANSWER_LOST, ANSWER_LOST)) {
      world.after(world.chance.upTo(WAY_MAX), () -> done(call, answer));
    }
  }

  private <T> void done(Call<T> call, T answer) {
    if (!call.done) {
      call.done = true;
      open--;
      world.trace.say("client", call.what);
      call.answered.accept(answer);
    }
  }
}
