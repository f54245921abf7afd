package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.TerminateContract.REASONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.steer.Terminate;
import dev.belay.session.gateway.Peer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two or three people, workers and leaders write about one task at the same moment, without an
 * order between them, on PostgreSQL. What they leave and what they are answered must be what one of
 * the orders leaves, by a description of a task that knows no locks.
 */
class TerminateRacesTest {

  private static final int RACES = Integer.getInteger("belay.races", 40);
  private static final long SEED = Long.getLong("belay.races.seed", 1);

  /** What one writer does; it may be answered. */
  private sealed interface Act {
    record End(AbortReason reason) implements Act {}

    record Finish(int code) implements Act {}

    record Lose(boolean byReaper) implements Act {}

    record Plan() implements Act {}

    record Retry() implements Act {}
  }

  /**
   * A task without locks.
   *
   * @param abort of the attempt that the race began with
   * @param isCurrent that attempt is the task's last one
   * @param mayRetry after an error
   * @param isRunOver false without a run, too
   */
  private record Life(
      TaskState state,
      @Nullable AbortReason abort,
      boolean isCurrent,
      boolean mayRetry,
      boolean isRunOver,
      List<String> answers) {

    private Life to(TaskState next) {
      return new Life(next, abort, isCurrent, mayRetry, isRunOver, answers);
    }

    private Life with(@Nullable AbortReason first) {
      return new Life(state, first, isCurrent, mayRetry, isRunOver, answers);
    }

    private Life over(boolean runOver) {
      return new Life(state, abort, isCurrent, mayRetry, runOver, answers);
    }

    private Life reset() {
      return new Life(TaskState.WAITING, abort, false, mayRetry, false, answers);
    }

    /** In the order of the writers, not of the acts. */
    private Life answered(int writer, String answer) {
      var all = new ArrayList<>(answers);
      all.add(writer + " " + answer);
      Collections.sort(all);
      return new Life(state, abort, isCurrent, mayRetry, isRunOver, List.copyOf(all));
    }

    Life after(Act act, int writer) {
      return switch (act) {
        case Act.End(var reason) -> end(reason, writer);
        case Act.Finish(var code) -> finish(code);
        case Act.Lose _ -> state.isActive() && isCurrent ? endedOr(TaskState.PENDING) : this;
        case Act.Plan _ ->
            state.isTerminal() ? over(true) : state == TaskState.WAITING ? to(planned()) : this;
        case Act.Retry _ ->
            isRunOver && state != TaskState.SUCCEEDED
                ? reset().answered(writer, "retried")
                : answered(writer, "refused");
      };
    }

    private static TaskState planned() {
      return AbortReason.GRACEFUL_SHUTDOWN.leadsTo();
    }

    private Life end(AbortReason reason, int writer) {
      return switch (state.kind()) {
        case TERMINAL -> answered(writer, "AlreadyOver " + state);
        case IDLE ->
            reason
                .appliesTo(state)
                .map(next -> to(next).answered(writer, "Done " + next))
                .orElseGet(() -> answered(writer, "NothingToDo " + state));
        case ACTIVE ->
            abort == null
                ? with(reason).answered(writer, "Asked")
                : answered(writer, "AlreadyAsked " + abort);
      };
    }

    private Life finish(int code) {
      if (!isCurrent) {
        return this;
      }
      if (code == 0) {
        boolean counts = state.isActive() || TaskTransitions.isGivenUp(state);
        return counts ? to(TaskState.SUCCEEDED) : this;
      }
      return state.isActive() ? endedOr(mayRetry ? TaskState.PENDING : TaskState.FAILED) : this;
    }

    private Life endedOr(TaskState otherwise) {
      return to(abort == null ? otherwise : abort.leadsTo());
    }

    String told() {
      return state + ", asked to end for " + abort + ", " + answers;
    }
  }

  /** One race: its writers and what each does in turn. */
  private record Scene(Dispatched attempt, @Nullable RunId run, List<List<Act>> writers) {}

  private final Random random = new Random(SEED);
  private final TreeMap<String, Integer> outcomes = new TreeMap<>();

  @Test
  void each_race_ends_as_one_of_its_orders() throws Exception {
    try (var ground = new PostgresGround();
        var stage = ground.open();
        var threads = Executors.newFixedThreadPool(3)) {
      stage.runs.registerOne("{}");
      var worker = stage.newWorker();
      for (int race = 0; race < RACES; race++) {
        race(stage, worker, threads, race);
      }
      for (var change : stage.observed.taskChangesAfter(0)) {
        assertThat(TaskTransitions.allows(change.from(), change.to())).as("%s", change).isTrue();
      }
    }
    System.out.println(RACES + " races: " + outcomes);
  }

  private void race(Stage stage, Peer worker, ExecutorService threads, int number)
      throws Exception {
    var scene = scene(stage, worker);
    var reaping = new Reaping(stage, scene.attempt());
    var barrier = new CyclicBarrier(scene.writers().size());
    List<Future<List<String>>> all = new ArrayList<>();
    for (int i = 0; i < scene.writers().size(); i++) {
      int writer = i;
      all.add(
          threads.submit(
              () -> {
                List<String> answers = new ArrayList<>();
                barrier.await();
                for (Act act : scene.writers().get(writer)) {
                  String answer = perform(stage, scene, reaping, act);
                  if (!answer.isEmpty()) {
                    answers.add(writer + " " + answer);
                  }
                }
                return answers;
              }));
    }
    List<String> answers = new ArrayList<>();
    for (var one : all) {
      answers.addAll(one.get());
    }
    Collections.sort(answers);
    var reason = stage.attempt(scene.attempt()).details().abortReason();
    var left =
        new Life(
            stage.state(scene.attempt().task()),
            reason == null ? null : AbortReason.of(reason).orElseThrow(),
            true,
            true,
            false,
            answers);
    Set<String> allowed = new LinkedHashSet<>();
    var begin = new Life(TaskState.RUNNING, null, true, scene.run() == null, false, List.of());
    orders(begin, scene.writers(), new int[scene.writers().size()], allowed);
    assertThat(allowed).as("race %d of seed %d: %s", number, SEED, scene).contains(left.told());
    outcomes.merge(left.state().name(), 1, Integer::sum);
    // Its worker shall not hold more and more.
    stage.heartbeat(scene.attempt().exited(0));
  }

  /** Goes on from here in every order of what the writers have left to do. */
  private static void orders(Life life, List<List<Act>> writers, int[] done, Set<String> left) {
    boolean over = true;
    for (int writer = 0; writer < done.length; writer++) {
      if (done[writer] < writers.get(writer).size()) {
        over = false;
        Life next = life.after(writers.get(writer).get(done[writer]), writer);
        done[writer]++;
        orders(next, writers, done, left);
        done[writer]--;
      }
    }
    if (over) {
      left.add(life.told());
    }
  }

  private Scene scene(Stage stage, Peer worker) {
    boolean ofRun = random.nextBoolean();
    RunId run = ofRun ? stage.runs.started() : null;
    TaskId task = run == null ? stage.submit(RETRIES) : stage.runs.task(run, "a");
    var attempt = stage.claimed(worker, task);
    stage.heartbeat(attempt.started());
    List<List<Act>> writers = new ArrayList<>();
    writers.add(List.of(end()));
    List<List<Act>> others = new ArrayList<>();
    others.add(List.of(new Act.Finish(random.nextInt(2))));
    others.add(List.of(new Act.Lose(random.nextBoolean())));
    others.add(List.of(end()));
    if (ofRun) {
      others.add(List.of(new Act.Plan(), new Act.Retry()));
    }
    Collections.shuffle(others, random);
    writers.addAll(others.subList(0, 1 + random.nextInt(2)));
    return new Scene(attempt, run, writers);
  }

  private Act end() {
    return new Act.End(REASONS.get(random.nextInt(REASONS.size())));
  }

  /** What it is answered, as {@link Life} says it; empty when nobody asks. */
  private static String perform(Stage stage, Scene scene, Reaping reaping, Act act) {
    var attempt = scene.attempt();
    return switch (act) {
      case Act.End(var reason) -> told(stage.intake.terminateTask(attempt.task(), reason));
      case Act.Finish(var code) -> unheard(stage.heartbeat(attempt.exited(code)));
      case Act.Lose(var byReaper) ->
          unheard(byReaper ? reaping.end() : stage.heartbeat(attempt.lost()));
      case Act.Plan _ -> {
        stage.runs.plan();
        yield "";
      }
      case Act.Retry _ ->
          scene.run() != null && stage.intake.retryRun(scene.run()) ? "retried" : "refused";
    };
  }

  private static String unheard(Object answer) {
    assertThat(answer).isNotNull();
    return "";
  }

  private static String told(Terminate answer) {
    return switch (answer) {
      case Terminate.Done(var state) -> "Done " + state;
      case Terminate.Asked _ -> "Asked";
      case Terminate.AlreadyAsked asked -> "AlreadyAsked " + asked.reason();
      case Terminate.NothingToDo(var state) -> "NothingToDo " + state;
      case Terminate.AlreadyOver(var state) -> "AlreadyOver " + state;
      case Terminate.NotFound _ -> "NotFound";
    };
  }
}
