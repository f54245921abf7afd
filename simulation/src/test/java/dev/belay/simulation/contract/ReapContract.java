package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.REPLICA;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.STRICT;
import static dev.belay.simulation.contract.Stage.reconnected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.reap.Attempt;
import dev.belay.domain.reap.Promises;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.reap.RecoveryKind;
import dev.belay.domain.reap.WorkerSign;
import dev.belay.domain.reap.WorkerSign.Link;
import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.ReapReads.Orphan;
import dev.belay.engine.port.ReapReads.SeenWorker;
import dev.belay.engine.port.ReapReads.Witness;
import dev.belay.engine.reap.ReapWriter.Ended;
import dev.belay.engine.reap.ReapWriter.Expired;
import dev.belay.session.gateway.GatewayCommand.Load;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What hangs is seen, and ended where it still hangs. */
abstract class ReapContract extends Contract {

  ReapContract(Ground ground) {
    super(ground);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void survey_of_nothing_tells_the_time() {
    var survey = stage.reapReads.survey();
    assertThat(survey.now()).isEqualTo(stage.clock.instant());
    assertThat(survey.workers()).isEmpty();
    assertThat(survey.missing()).isEmpty();
    assertThat(survey.holdsWork()).isFalse();
  }

  @Test
  void survey_sees_each_worker_and_what_it_holds() {
    beat(stage.store.heartbeat(REPLICA, ReapSettings.DEFAULT, () -> 0));
    var worker = stage.newWorker();
    stage.clock.step(seconds(1));
    stage.touch(worker, 3);
    stage.claimed(worker, stage.submit(RETRIES));
    stage.heartbeat(stage.claimed(worker, stage.submit(RETRIES)).started());
    stage.clock.step(seconds(2));
    var sign =
        new WorkerSign(
            new Link.Open(),
            seconds(2),
            seconds(3),
            seconds(2),
            seconds(2),
            WorkerSign.Watched.NEVER);
    var witness = new Witness(worker.session(), 1, 3, "CONNECTED");
    assertThat(stage.reapReads.survey().workers())
        .containsExactly(new SeenWorker(worker.worker(), witness, sign, 2, 1, false));
    stage.clock.step(Duration.ofMinutes(3));
    assertThat(stage.reapReads.survey().workers().getFirst().overdue()).isTrue();
  }

  @Test
  void survey_tells_how_a_connection_ended() {
    var gone = stage.newWorker();
    var left = stage.newWorker();
    stage.workers.markDisconnected(gone, true);
    stage.workers.markDisconnected(left, false);
    stage.clock.step(seconds(4));
    var workers = stage.reapReads.survey().workers();
    assertThat(workers)
        .extracting(worker -> worker.sign().link())
        .containsExactly(new Link.Closed(seconds(4)), new Link.Left());
    assertThat(workers).extracting(worker -> worker.witness().state()).containsOnly("DISCONNECTED");
    stage.register(reconnected(gone), 1_000);
    assertThat(stage.reapReads.survey().workers().getFirst().sign().isOpen()).isTrue();
  }

  @Test
  void task_of_a_session_before_is_overdue() {
    var task = stage.running(RETRIES);
    assertThat(stage.reapReads.survey().workers().getFirst().overdue()).isFalse();
    stage.register(stage.restarted(task.to()), 2_000);
    assertThat(stage.reapReads.survey().workers().getFirst().overdue()).isTrue();
  }

  /** Silence counts only while its replica would have written a heartbeat. */
  @Test
  void silence_is_counted_while_somebody_listens() {
    var beat = stage.store.heartbeat(REPLICA, ReapSettings.DEFAULT, () -> 0);
    var other = stage.store.heartbeat("other", ReapSettings.DEFAULT, () -> 0);
    stage.newWorker();
    beat(beat);
    beat(other);
    stage.clock.step(seconds(8));
    beat(beat);
    assertThat(silence()).isEqualTo(seconds(8));
    stage.clock.step(seconds(9));
    beat(other);
    assertThat(silence()).isEqualTo(seconds(17));
    stage.clock.step(seconds(9));
    beat(other);
    stage.clock.step(seconds(4));
    beat(other);
    assertThat(silence()).isEqualTo(seconds(22));
    beat(beat);
    assertThat(silence()).isEqualTo(Duration.ZERO);
    stage.clock.step(seconds(5));
    beat(beat);
    assertThat(silence()).isEqualTo(seconds(5));
    assertThat(sign().listened()).as("there was always one").isEqualTo(seconds(35));
    assertThat(stage.reapReads.survey().steady()).isEqualTo(seconds(35));
  }

  /** Whoever leads: nobody could have written a heartbeat, or a hello. */
  @Test
  void time_in_which_no_replica_could_write_counts_for_nobody() {
    var first = stage.store.heartbeat(REPLICA, ReapSettings.DEFAULT, () -> 0);
    var second = stage.store.heartbeat("other", ReapSettings.DEFAULT, () -> 0);
    assertThat(stage.reapReads.survey().steady()).as("nobody yet").isEqualTo(Duration.ZERO);
    beat(first);
    var task = stage.dispatched(RETRIES);
    stage.clock.step(seconds(6));
    stage.workers.markDisconnected(task.to(), true);
    stage.clock.step(seconds(4));
    assertThat(stage.reapReads.survey().steady()).as("away").isEqualTo(Duration.ZERO);
    assertThat(sign().listened()).isEqualTo(Duration.ZERO);
    stage.clock.step(seconds(60));
    beat(second);
    beat(first);
    stage.clock.step(seconds(3));
    var survey = stage.reapReads.survey();
    assertThat(survey.steady()).isEqualTo(seconds(3));
    assertThat(sign().link()).isEqualTo(new Link.Closed(seconds(67)));
    assertThat(sign().listened()).isEqualTo(seconds(3));
    assertThat(new Reaping(stage, task).active().attempt().listened()).isEqualTo(seconds(3));
    stage.clock.step(seconds(6));
    beat(second);
    stage.clock.step(seconds(30));
    beat(first);
    assertThat(stage.reapReads.survey().steady()).isEqualTo(Duration.ZERO);
    assertThat(sign().listened()).as("both times").isEqualTo(seconds(9));
    assertThat(new Reaping(stage, task).active().attempt().listened()).isEqualTo(seconds(9));
  }

  private WorkerSign sign() {
    return stage.reapReads.survey().workers().getFirst().sign();
  }

  private Duration silence() {
    return sign().silence();
  }

  @Test
  void active_tasks_are_read_in_pages_as_they_look_from_outside() {
    var worker = stage.newWorker();
    var first = stage.claimed(worker, stage.submit(RETRIES));
    var second = stage.claimed(worker, stage.submit(RETRIES));
    stage.heartbeat(second.started());
    stage.claimed(stage.newWorker(), stage.submit(RETRIES));
    stage.clock.step(seconds(3));
    stage.workers.touch(worker, new Load(1, List.of(first.id()), 2, 0));
    var survey = stage.reapReads.survey();
    var ids = List.of(worker.worker());
    var active = stage.reapReads.readActive(ids, null, 10, survey);
    assertThat(active).hasSize(2);
    var sign = Optional.of(survey.workers().getFirst().sign());
    assertThat(active.get(0).task()).isEqualTo(first.task());
    assertThat(active.get(0).dispatch()).isEqualTo(first.id());
    assertThat(active.get(0).worker()).isEqualTo(worker.worker());
    assertThat(active.get(0).session()).isEqualTo(worker.session());
    assertThat(active.get(0).attempt())
        .isEqualTo(new Attempt(TaskState.DISPATCHED, seconds(3), seconds(3), true, true, sign));
    assertThat(active.get(1).attempt())
        .isEqualTo(new Attempt(TaskState.RUNNING, seconds(3), seconds(3), false, true, sign));
    assertThat(stage.reapReads.readActive(ids, null, 1, survey)).containsExactly(active.get(0));
    assertThat(stage.reapReads.readActive(ids, first.task(), 10, survey))
        .containsExactly(active.get(1));
    assertThat(stage.reapReads.readActive(ids, second.task(), 10, survey)).isEmpty();
  }

  @Test
  void lost_attempt_is_ended_and_recorded() {
    var task = stage.running(RETRIES);
    stage.clock.step(seconds(95));
    var reap = new Reaping(stage, task);
    assertThat(reap.end()).isEqualTo(new Ended(Map.of("agent_lost", 1), true));
    assertThat(stage.path(task.task())).endsWith("PENDING agent_lost");
    assertThat(stage.reaped).containsExactly(task.id());
    var recovery = stage.observed.recoveriesAfter(0).getFirst();
    assertThat(recovery.kind()).isEqualTo(RecoveryKind.AGENT_SILENT);
    assertThat(recovery.task()).isEqualTo(task.task());
    assertThat(recovery.sinceLastSign()).isEqualTo(seconds(95));
    assertThat(recovery.promised()).isEqualTo(Promises.DEFAULT.of(RecoveryKind.AGENT_SILENT));
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    assertThat(stage.reaped).hasSize(1);
    assertThat(stage.observed.recoveriesAfter(recovery.id())).isEmpty();
    assertThat(stage.heartbeat(task.exited(0))).containsExactly(Answer.APPLIED);
    assertThat(stage.path(task.task())).endsWith("SUCCEEDED late_success");
  }

  @Test
  void whose_worker_gave_a_sign_is_left_alone() {
    var touched = stage.running(RETRIES);
    var reap = new Reaping(stage, touched);
    stage.touch(touched.to(), 1);
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    var back = stage.running(RETRIES);
    reap = new Reaping(stage, back);
    stage.register(reconnected(back.to()), 1_000);
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    var closed = stage.running(RETRIES);
    reap = new Reaping(stage, closed);
    stage.workers.markDisconnected(closed.to(), true);
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    var removed = stage.running(RETRIES);
    stage.workers.markDisconnected(removed.to(), true);
    reap = new Reaping(stage, removed);
    stage.intake.removeWorker(removed.to().worker());
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    assertThat(stage.observed.recoveriesAfter(0)).isEmpty();
  }

  @Test
  void what_ended_meanwhile_is_left_alone() {
    var over = stage.running(RETRIES);
    var reap = new Reaping(stage, over);
    stage.heartbeat(over.exited(0));
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    var replaced = stage.running(RETRIES);
    reap = new Reaping(stage, replaced);
    stage.heartbeat(replaced.lost());
    stage.promote();
    stage.claimed(replaced.to(), replaced.task());
    assertThat(reap.end()).isEqualTo(Ended.NOTHING);
    assertThat(stage.state(replaced.task())).isEqualTo(TaskState.DISPATCHED);
    var bound = stage.dispatched(RETRIES);
    reap = new Reaping(stage, bound);
    stage.heartbeat(bound.started());
    assertThat(reap.end().count()).isEqualTo(1);
  }

  @Test
  void task_of_a_removed_worker_is_missing_and_ended() {
    var task = stage.running(RETRIES);
    stage.workers.markDisconnected(task.to(), true);
    stage.intake.removeWorker(task.to().worker());
    var survey = stage.reapReads.survey();
    assertThat(survey.workers()).isEmpty();
    assertThat(survey.missing()).containsExactly(task.to().worker());
    assertThat(survey.holdsWork()).isTrue();
    var reap = new Reaping(stage, task);
    assertThat(reap.active().attempt().worker()).isEmpty();
    assertThat(reap.active().attempt().ofCurrentSession()).isFalse();
    assertThat(reap.end().count()).isEqualTo(1);
    assertThat(stage.reapReads.survey().missing()).isEmpty();
  }

  @Test
  void strict_task_waits_until_its_lost_attempt_must_have_ended() {
    var task = stage.running(STRICT);
    stage.clock.step(seconds(95));
    assertThat(new Reaping(stage, task).mayRunOn(seconds(40)).end().count()).isEqualTo(1);
    assertThat(stage.due.promote(stage.epoch, 10).nextDue()).hasValue(seconds(40));
  }

  @Test
  void run_of_a_failed_task_is_marked() {
    stage.runs.register("name: w\ntasks: [{name: a, command: [x], on_worker_lost: fail}]");
    var run = stage.runs.started();
    var task = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    assertThat(new Reaping(stage, task).end().runsChanged()).isTrue();
    assertThat(stage.state(task.task())).isEqualTo(TaskState.FAILED);
    assertThat(stage.runs.marked()).containsExactly(run);
  }

  @Test
  void deadline_ends_what_is_idle_and_asks_what_is_active() {
    var idle = stage.submit(RETRIES, POOL, 50, seconds(10));
    var active = stage.claimed(stage.newWorker(), stage.submit(RETRIES, POOL, 50, seconds(10)));
    stage.submit(RETRIES, POOL, 50, seconds(20));
    stage.clock.step(seconds(9));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10)).isEqualTo(new Expired(0, 0, Set.of()));
    stage.clock.step(seconds(2));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10))
        .isEqualTo(new Expired(1, 1, Set.of(active.to().worker())));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 10)).isEqualTo(new Expired(0, 0, Set.of()));
    assertThat(stage.path(idle)).endsWith("TIMEOUT deadline_passed");
    assertThat(stage.abortReason(active)).isEqualTo("deadline_passed");
    assertThat(stage.observed.recoveriesAfter(0))
        .hasSize(2)
        .allMatch(recovery -> recovery.kind() == RecoveryKind.DEADLINE_PASSED)
        .allMatch(recovery -> recovery.sinceLastSign().equals(seconds(1)));
    stage.heartbeat(active.exitedAtOnce(1));
    assertThat(stage.path(active.task())).endsWith("TIMEOUT deadline_passed");
  }

  @Test
  void deadlines_are_taken_a_few_at_a_time_and_the_first_wish_stays() {
    for (int i = 0; i < 3; i++) {
      stage.submit(RETRIES, POOL, 50, seconds(10));
    }
    var asked = stage.claimed(stage.newWorker(), stage.submit(RETRIES, POOL, 50, seconds(10)));
    stage.cancel(asked.task());
    stage.clock.step(seconds(10));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 2)).isEqualTo(new Expired(2, 0, Set.of()));
    assertThat(stage.reaps.expireDeadlines(stage.epoch, 2)).isEqualTo(new Expired(1, 0, Set.of()));
    assertThat(stage.abortReason(asked)).isEqualTo("cancelled");
  }

  @Test
  void what_runs_too_long_is_asked_to_end() {
    var waits = ReapSettings.Waits.DEFAULT;
    var settings =
        ReapSettings.DEFAULT.withWaits(
            new ReapSettings.Waits(
                seconds(60),
                waits.pending(),
                waits.approval(),
                waits.deferral(),
                waits.orphan(),
                waits.orphanFails()));
    var reaps = stage.reaps(settings);
    var running = stage.running(RETRIES);
    stage.dispatched(RETRIES);
    stage.clock.step(seconds(59));
    assertThat(reaps.endLongRunning(stage.epoch, 10).count()).isZero();
    stage.clock.step(seconds(3));
    assertThat(reaps.endLongRunning(stage.epoch, 10))
        .isEqualTo(new Expired(0, 1, Set.of(running.to().worker())));
    assertThat(reaps.endLongRunning(stage.epoch, 10).count()).isZero();
    assertThat(stage.abortReason(running)).isEqualTo("running_too_long");
    var recovery = stage.observed.recoveriesAfter(0).getFirst();
    assertThat(recovery.kind()).isEqualTo(RecoveryKind.RUNNING_TOO_LONG);
    assertThat(recovery.sinceLastSign()).isEqualTo(seconds(2));
    stage.heartbeat(running.killed(15));
    assertThat(stage.path(running.task())).endsWith("TIMEOUT running_too_long");
  }

  @Test
  void pending_task_that_nobody_moved_is_replayed() {
    var task = stage.running(RETRIES);
    stage.heartbeat(task.exited(1));
    stage.clock.step(seconds(129));
    assertThat(stage.reaps.replayPending(stage.epoch, 10)).isZero();
    stage.clock.step(seconds(2));
    assertThat(stage.reaps.replayPending(stage.epoch, 10)).isEqualTo(1);
    assertThat(stage.path(task.task())).endsWith("SCHEDULED pending_replayed");
    var recovery = stage.observed.recoveriesAfter(0).getFirst();
    assertThat(recovery.kind()).isEqualTo(RecoveryKind.PENDING_REPLAYED);
    assertThat(recovery.sinceLastSign()).isEqualTo(seconds(121));
    assertThat(stage.reaps.replayPending(stage.epoch, 10)).isZero();
  }

  @Test
  void nothing_waits_for_a_person_yet() {
    stage.submit(RETRIES);
    stage.clock.step(Duration.ofDays(8));
    assertThat(stage.reaps.expireWaits(stage.epoch, 10)).isZero();
  }

  @Test
  void orphan_is_planned_again_and_fails_when_that_does_not_help() {
    stage.runs.registerChain();
    var run = stage.runs.started();
    stage.runs.finish(run, "a", 0);
    stage.runs.intendNothing(run).apply();
    stage.clock.step(Duration.ofMinutes(5).minusMillis(1));
    assertThat(stage.reapReads.readOrphans(null, 10)).isEmpty();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(stage.reapReads.readOrphans(null, 10)).containsExactly(new Orphan(run, false));
    assertThat(stage.reapReads.readOrphans(run, 10)).isEmpty();
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(run, false))).isTrue();
    assertThat(stage.runs.marked()).containsExactly(run);
    assertThat(stage.reapReads.readOrphans(null, 10)).isEmpty();
    var recovery = stage.observed.recoveriesAfter(0).getFirst();
    assertThat(recovery.kind()).isEqualTo(RecoveryKind.ORPHAN_RUN);
    assertThat(recovery.task()).isNull();
    assertThat(recovery.sinceLastSign()).isEqualTo(Duration.ofMinutes(5));
    stage.runs.intendNothing(run).apply();
    stage.clock.step(Duration.ofMinutes(1));
    assertThat(stage.reapReads.readOrphans(null, 10)).containsExactly(new Orphan(run, true));
    var waiting = stage.runs.task(run, "b");
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(run, true))).isTrue();
    assertThat(stage.path(waiting)).endsWith("CANCELLED orphaned");
    assertThat(stage.path(run)).endsWith("FAILED");
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(run, true))).isFalse();
    assertThat(stage.observed.unfinished()).isEmpty();
  }

  @Test
  void run_that_goes_on_is_no_orphan() {
    stage.runs.registerChain();
    var run = stage.runs.started();
    stage.clock.step(Duration.ofMinutes(6));
    assertThat(stage.reapReads.readOrphans(null, 10)).isEmpty();
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(run, false))).isFalse();
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(run, true))).isFalse();
    stage.runs.finish(run, "a", 0);
    stage.clock.step(Duration.ofMinutes(6));
    assertThat(stage.reapReads.readOrphans(null, 10)).isEmpty();
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(run, true))).isFalse();
    assertThat(stage.runs.state(run)).isEqualTo(RunState.RUNNING);
  }

  @Test
  void held_run_is_no_orphan_and_a_postponed_mark_does_not_help() {
    stage.runs.registerOne("{max_active: 1}");
    var runs = stage.runs.trigger(2);
    stage.runs.plan();
    stage.runs.cancel(runs.getFirst());
    var mark = stage.runs.plans.readMarks(1).getFirst();
    stage.cancel(stage.runs.task(runs.getFirst(), "a"));
    stage.runs.intendNothing(runs.getFirst()).apply();
    stage.clock.step(Duration.ofMinutes(6));
    assertThat(stage.reapReads.readOrphans(null, 10))
        .containsExactly(new Orphan(runs.getFirst(), false));
    stage.reaps.treatOrphan(stage.epoch, new Orphan(runs.getFirst(), false));
    assertThat(stage.runs.marked()).containsExactly(runs.getFirst());
    assertThat(stage.runs.plans.readMarks(1).getFirst().id()).isGreaterThan(mark.id());
    stage.runs.writer.postpone(stage.epoch, List.of(stage.runs.plans.readMarks(1).getFirst().id()));
    stage.clock.step(Duration.ofMinutes(1));
    assertThat(stage.reapReads.readOrphans(null, 10))
        .containsExactly(new Orphan(runs.getFirst(), true));
    assertThat(stage.reaps.treatOrphan(stage.epoch, new Orphan(runs.getFirst(), true))).isTrue();
    stage.runs.plan();
    assertThat(stage.runs.state(runs.getLast())).isEqualTo(RunState.RUNNING);
  }

  @Test
  void nothing_is_reaped_by_another_epoch() {
    var task = stage.running(RETRIES);
    TaskId idle = stage.submit(RETRIES, POOL, 50, seconds(10));
    stage.runs.registerOne("{}");
    var run = stage.runs.trigger();
    stage.clock.step(Duration.ofMinutes(10));
    var reap = new Reaping(stage, task);
    var other = new Epoch(7);
    stage.epoch = other;
    assertThatThrownBy(reap::end).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.expireDeadlines(other, 10)).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.endLongRunning(other, 10)).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.replayPending(other, 10)).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.expireWaits(other, 10)).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.alert(other, "k", "d")).isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.treatOrphan(other, new Orphan(run, false)))
        .isInstanceOf(Deposed.class);
    assertThatThrownBy(() -> stage.reaps.treatOrphan(other, new Orphan(run, true)))
        .isInstanceOf(Deposed.class);
    assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
    assertThat(stage.state(idle)).isEqualTo(TaskState.SCHEDULED);
    stage.epoch = new Epoch(0);
    stage.reaps.alert(stage.epoch, "k", "d");
  }

  /** It tells the time of the database. */
  private void beat(Supplier<Instant> heartbeat) {
    assertThat(heartbeat.get()).isEqualTo(stage.clock.instant());
  }
}
