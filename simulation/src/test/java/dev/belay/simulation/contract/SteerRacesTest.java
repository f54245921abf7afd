package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.RunId;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.steer.TaskSteer;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Two clients at once on PostgreSQL, in whatever order they happen to come: each race has one of
 * the outcomes that some order has, and legal histories. The contract has each order by itself.
 */
class SteerRacesTest {

  private static final int RACES = Integer.getInteger("belay.races", 32);
  private static final long LEAD_NANOS_MAX = 4_000_000;
  private static final PostgresGround POSTGRES = new PostgresGround();

  private final Random random = new Random(Long.getLong("belay.races.seed", 1));
  private final Map<String, Integer> outcomes = new TreeMap<>();

  @AfterAll
  static void close() {
    POSTGRES.close();
  }

  /** Sets its scene, races, and says which outcome it was. */
  @FunctionalInterface
  private interface Race {
    String run(Stage stage) throws Exception;
  }

  @Test
  void every_race_has_one_defined_outcome() throws Exception {
    var races =
        List.<Race>of(
            this::clearTwice,
            this::clearAndFinish,
            this::markAndRetry,
            this::markAndFinish,
            this::clearAndEndOfRun,
            this::clearAndRetryOfRun,
            this::skipAndClaim,
            this::blockAndClaim);
    for (int i = 0; i < RACES; i++) {
      try (var stage = POSTGRES.open()) {
        outcomes.merge(races.get(i % races.size()).run(stage), 1, Integer::sum);
        for (var step : stage.observed.taskChangesAfter(0)) {
          assertThat(
                  TaskTransitions.allows(step.from(), step.to())
                      || TaskTransitions.isRemark(step.from(), step.to()))
              .as("%s", step)
              .isTrue();
        }
      }
    }
    System.out.println("races: " + RACES + ", " + outcomes);
  }

  private record Both<A, B>(A one, B two) {}

  /** Starts both at once; one of them may get a small lead. */
  private <A, B> Both<A, B> race(Supplier<A> one, Supplier<B> two) throws Exception {
    var barrier = new CyclicBarrier(2);
    long first = random.nextBoolean() ? random.nextLong(LEAD_NANOS_MAX) : 0;
    long second = random.nextLong(LEAD_NANOS_MAX);
    var a = CompletableFuture.supplyAsync(() -> after(barrier, first, one));
    var b = CompletableFuture.supplyAsync(() -> after(barrier, second, two));
    return new Both<>(a.get(), b.get());
  }

  private static <T> T after(CyclicBarrier barrier, long nanos, Supplier<T> act) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    LockSupport.parkNanos(nanos);
    return act.get();
  }

  private static RunId chain(Stage stage, int exitOfA) {
    stage.runs.registerChain();
    var run = stage.runs.started();
    stage.runs.finish(run, "a", exitOfA);
    stage.runs.plan();
    return run;
  }

  private String clearTwice(Stage stage) throws Exception {
    var run = chain(stage, 0);
    stage.runs.finish(run, "b", 0);
    stage.runs.plan();
    var a = stage.runs.task(run, "a");
    var both = race(() -> stage.intake.clear(a), () -> stage.intake.clear(a));
    boolean firstDid = both.one() instanceof TaskSteer.Done;
    assertThat(firstDid ? both.two() : both.one())
        .isEqualTo(new TaskSteer.Unchanged(TaskState.WAITING));
    assertThat(firstDid || both.two() instanceof TaskSteer.Done).isTrue();
    assertThat(stage.path(a)).endsWith("SUCCEEDED exit_code: 0", "WAITING cleared");
    assertThat(stage.path(run)).endsWith("SUCCEEDED", "QUEUED");
    return "clear twice: one cleared, the other was told";
  }

  private String clearAndFinish(Stage stage) throws Exception {
    var run = chain(stage, 0);
    var b = stage.claimed(stage.newWorker(), stage.runs.task(run, "b"));
    var both = race(() -> stage.intake.clear(b.task()), () -> stage.heartbeat(b.exitedAtOnce(0)));
    assertThat(both.two()).containsExactly(Answer.APPLIED);
    if (both.one() instanceof TaskSteer.Done) {
      assertThat(stage.path(b.task())).endsWith("SUCCEEDED exit_code: 0", "WAITING cleared");
      return "clear and finish: finished, then cleared";
    }
    assertThat(SteerContract.refused(both.one())).contains("is DISPATCHED");
    assertThat(stage.state(b.task())).isEqualTo(TaskState.SUCCEEDED);
    return "clear and finish: clear refused, then finished";
  }

  private String markAndRetry(Stage stage) throws Exception {
    var run = chain(stage, 1);
    var a = stage.runs.task(run, "a");
    var both =
        race(() -> stage.intake.mark(a, TaskState.SUCCEEDED), () -> stage.intake.retryTask(a));
    assertThat(both.one()).isInstanceOf(TaskSteer.Done.class);
    assertThat(stage.path(a)).endsWith("SUCCEEDED marked_succeeded");
    stage.runs.plan();
    assertThat(stage.state(stage.runs.task(run, "b"))).isEqualTo(TaskState.SCHEDULED);
    if (both.two() instanceof TaskSteer.Done) {
      return "mark and retry: retried, then marked";
    }
    assertThat(SteerContract.refused(both.two())).contains("SUCCEEDED");
    return "mark and retry: marked, retry refused";
  }

  private String markAndFinish(Stage stage) throws Exception {
    var running = stage.running(RETRIES);
    var both =
        race(
            () -> stage.intake.mark(running.task(), TaskState.FAILED),
            () -> stage.heartbeat(running.exited(0)));
    assertThat(both.two()).containsExactly(Answer.APPLIED);
    if (both.one() instanceof TaskSteer.Done) {
      assertThat(stage.path(running.task()))
          .endsWith("SUCCEEDED exit_code: 0", "PENDING marked_failed", "FAILED marked_failed");
      return "mark and finish: finished, then marked";
    }
    assertThat(both.one()).isInstanceOf(TaskSteer.Asked.class);
    assertThat(stage.path(running.task())).endsWith("SUCCEEDED exit_code: 0");
    return "mark and finish: asked to end, but had succeeded";
  }

  private String clearAndEndOfRun(Stage stage) throws Exception {
    var run = chain(stage, 0);
    stage.runs.finish(run, "b", 0);
    var a = stage.runs.task(run, "a");
    var intent = stage.runs.intend(run);
    var both = race(() -> stage.intake.clear(a), intent::apply);
    assertThat(both.one()).isInstanceOf(TaskSteer.Done.class);
    boolean ended = both.two().ended().containsKey(run);
    assertThat(stage.runs.state(run)).isEqualTo(ended ? RunState.QUEUED : RunState.RUNNING);
    stage.runs.plan();
    assertThat(stage.state(a)).isEqualTo(TaskState.SCHEDULED);
    return ended ? "clear and end of run: ended, then reopened" : "clear and end of run: goes on";
  }

  private String clearAndRetryOfRun(Stage stage) throws Exception {
    var run = chain(stage, 1);
    var a = stage.runs.task(run, "a");
    var both = race(() -> stage.intake.clear(a), () -> stage.intake.retryRun(run));
    boolean cleared = both.one() instanceof TaskSteer.Done;
    assertThat(both.two()).isNotEqualTo(cleared);
    assertThat(stage.path(run)).endsWith("FAILED", "QUEUED");
    return cleared
        ? "clear and retry of run: cleared, retry refused"
        : "clear and retry of run: retried, clear told";
  }

  private String skipAndClaim(Stage stage) throws Exception {
    var claim = stage.claimOf(stage.submit(RETRIES));
    var worker = stage.newWorker();
    var both = race(() -> stage.intake.skip(claim.task()), () -> stage.claim(worker, claim));
    boolean skipped = both.one() instanceof TaskSteer.Done;
    assertThat(both.two()).hasSize(skipped ? 0 : 1);
    assertThat(stage.state(claim.task()))
        .isEqualTo(skipped ? TaskState.SKIPPED : TaskState.DISPATCHED);
    return skipped ? "skip and claim: skipped" : "skip and claim: claimed, skip refused";
  }

  private String blockAndClaim(Stage stage) throws Exception {
    var claim = stage.claimOf(stage.submit(RETRIES));
    var worker = stage.newWorker();
    var both = race(() -> stage.intake.block(claim.task()), () -> stage.claim(worker, claim));
    if (both.one() instanceof TaskSteer.Done) {
      assertThat(both.two()).isEmpty();
      assertThat(stage.state(claim.task())).isEqualTo(TaskState.BLOCKED);
      return "block and claim: blocked";
    }
    assertThat(both.one()).isInstanceOf(TaskSteer.Asked.class);
    assertThat(both.two()).hasSize(1);
    return "block and claim: claimed, and asked to end";
  }
}
