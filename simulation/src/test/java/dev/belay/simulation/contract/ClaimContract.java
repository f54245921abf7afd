package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.BACKOFF;
import static dev.belay.simulation.contract.Stage.FAR_AWAY;
import static dev.belay.simulation.contract.Stage.POOL;
import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.STRICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.admit.DueTasks.Promoted;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Candidate;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Held;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.DispatchStore.Wanted;
import dev.belay.engine.port.Epoch;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Workers, candidates, claims, what is due. */
abstract class ClaimContract extends Contract {

  ClaimContract(Ground ground) {
    super(ground);
  }

  @Test
  void claim_is_answered_with_what_is_to_be_delivered() {
    var worker = stage.newWorker();
    var task = stage.submit(STRICT);
    var claim = stage.claimOf(task);
    var entry = stage.claim(FAR_AWAY, worker, List.of(claim)).getFirst();
    assertThat(entry.task()).isEqualTo(task);
    assertThat(entry.id()).isEqualTo(claim.dispatch());
    assertThat(entry.session()).isEqualTo(worker.session());
    assertThat(entry.state()).isEqualTo(MailboxEntry.State.DISPATCHED);
    assertThat(entry.abortReason()).isNull();
    var assignment = entry.assignment().orElseThrow();
    assertThat(assignment.run()).isNull();
    assertThat(assignment.workflow()).isNull();
    assertThat(assignment.name()).isEqualTo("t");
    assertThat(assignment.fencingToken()).isEqualTo(1);
    assertThat(assignment.work().orElseThrow().argv()).containsExactly("true");
    assertThat(assignment.work().orElseThrow().policy().isStrict()).isTrue();
    assertThat(stage.path(task)).containsExactly("SCHEDULED submitted", "DISPATCHED claimed");
    var attempt = stage.attempt(new Dispatched(task, claim.dispatch(), worker));
    assertThat(attempt.ended()).isFalse();
    assertThat(attempt.exitCode()).isNull();
  }

  @Test
  void task_of_a_run_is_delivered_with_its_run() {
    stage.runs.registerOne("{}");
    var run = stage.runs.started();
    var worker = stage.newWorker();
    stage.claimed(worker, stage.runs.task(run, "a"));
    var assignment = mailbox(worker).getFirst().assignment().orElseThrow();
    assertThat(assignment.run()).isEqualTo(run);
    assertThat(assignment.workflow()).isEqualTo("w");
    assertThat(assignment.name()).isEqualTo("a");
    assertThat(assignment.work().orElseThrow().policy().isStrict()).isFalse();
  }

  @Test
  void claims_are_answered_best_priority_first() {
    var low = stage.submit(RETRIES, POOL, 10, null);
    var high = stage.submit(RETRIES, POOL, 90, null);
    var worker = stage.newWorker();
    assertThat(stage.claim(worker, stage.claimOf(low), stage.claimOf(high)))
        .containsExactly(high, low);
    assertThat(mailbox(worker)).extracting(MailboxEntry::task).containsExactly(high, low);
  }

  @Test
  void what_is_not_scheduled_is_not_claimed() {
    var taken = stage.dispatched(RETRIES).task();
    var cancelled = stage.submit(RETRIES);
    stage.cancel(cancelled);
    var free = stage.submit(RETRIES);
    var unknown = new TaskId(stage.ids().next());
    assertThat(
            stage.claim(
                stage.newWorker(),
                stage.claimOf(taken),
                stage.claimOf(cancelled),
                stage.claimOf(free),
                stage.claimOf(unknown)))
        .containsExactly(free);
    assertThat(stage.path(taken)).hasSize(2);
    assertThat(stage.state(cancelled)).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void nothing_is_claimed_for_a_worker_that_is_not_there() {
    var task = stage.submit(RETRIES);
    var claim = stage.claimOf(task);
    var replaced = stage.newWorker();
    stage.register(stage.restarted(replaced), 2_000);
    assertThat(stage.claim(replaced, claim)).isEmpty();
    var drained = stage.newWorker();
    stage.workers.drain(drained);
    assertThat(stage.claim(drained, claim)).isEmpty();
    var left = stage.newWorker();
    stage.workers.markDisconnected(left, false);
    assertThat(stage.claim(left, claim)).isEmpty();
    var unknown = new Peer(new WorkerId(stage.ids().next()), new SessionId(stage.ids().next()), 1);
    assertThat(stage.claim(unknown, claim)).isEmpty();
    assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void next_attempt_has_a_higher_fence_and_the_first_one_has_ended() {
    var first = stage.dispatched(RETRIES);
    stage.heartbeat(first.lost());
    assertThat(stage.promote()).isEqualTo(1);
    var worker = stage.newWorker();
    stage.claimed(worker, first.task());
    assertThat(mailbox(worker).getFirst().assignment().orElseThrow().fencingToken()).isEqualTo(2);
    assertThat(mailbox(first.to())).isEmpty();
    assertThat(stage.attempt(first).ended()).isTrue();
  }

  @Test
  void claim_of_another_epoch_is_refused() {
    var task = stage.submit(RETRIES);
    var worker = stage.newWorker();
    stage.epoch = new Epoch(7);
    assertThatThrownBy(() -> stage.claim(worker, stage.claimOf(task))).isInstanceOf(Deposed.class);
    assertThat(stage.state(task)).isEqualTo(TaskState.SCHEDULED);
  }

  @Test
  void candidates_are_those_of_the_pool_best_first_as_many_as_wanted() {
    var low = stage.submit(RETRIES, POOL, 10, null);
    stage.clock.step(Duration.ofSeconds(1));
    var high = stage.submit(RETRIES, POOL, 90, null);
    var older = stage.submit(RETRIES, POOL, 50, null);
    var younger = stage.submit(RETRIES, POOL, 50, null);
    var elsewhere = stage.submit(RETRIES, "other", 99, null);
    stage.dispatched(RETRIES);
    assertThat(candidates(10)).containsExactly(high, older, younger, low);
    assertThat(candidates(2)).containsExactly(high, older);
    var wanted = Map.of(POOL, 1, "other", 5, "third", 5);
    assertThat(stage.candidates(wanted, List.of(high), FAR_AWAY))
        .extracting(Candidate::task)
        .containsExactly(elsewhere, older);
    var found = stage.candidates(Map.of(POOL, 10), List.of(), FAR_AWAY);
    assertThat(found.getFirst().priority()).isEqualTo(90);
    assertThat(found.getFirst().readySince() - found.getLast().readySince()).isEqualTo(1.0);
  }

  @Test
  void runs_of_a_workflow_take_turns_and_the_best_priority_goes_first() {
    stage.runs.register(
        "name: w\ntasks: [{name: a, command: [x]}, {name: b, command: [x]}, "
            + "{name: best, command: [x], priority: 90}]");
    var runs = Stream.generate(stage.runs::started).limit(3).sorted().toList();
    var queue = stage.dispatches.readWaiting(null, 10).getFirst();
    assertThat(stage.dispatches.readWaiting(null, 10)).containsExactly(queue);
    assertThat(queue.priority()).isEqualTo(90);
    assertThat(names(queue.queue(), 2, new RunId(new UUID(0, 0)), runs))
        .containsExactly("0 best", "1 best");
    assertThat(names(queue.queue(), 100, runs.get(0), runs))
        .startsWith("1 best", "2 best", "0 best")
        .hasSize(9);
    for (RunId run : runs) {
      stage.claimed(stage.newWorker(), stage.runs.task(run, "best"));
    }
    assertThat(names(queue.queue(), 4, runs.get(1), runs))
        .extracting(name -> name.charAt(0))
        .containsExactly('2', '0', '1', '2');
  }

  private List<String> names(QueueId queue, int take, RunId after, List<RunId> runs) {
    return stage
        .dispatches
        .readCandidates(List.of(new Wanted(queue, take, after)), List.of(), FAR_AWAY)
        .stream()
        .map(
            one ->
                runs.indexOf(one.run())
                    + (one.task().equals(stage.runs.task(runs.get(runs.indexOf(one.run())), "best"))
                        ? " best"
                        : ""))
        .toList();
  }

  @Test
  void one_claim_serves_many_workers_and_leaves_out_those_that_left() {
    var first = stage.newWorker();
    var second = stage.newWorker();
    var gone = stage.newWorker();
    stage.workers.drain(gone);
    Map<Target, List<Claim>> claims = new LinkedHashMap<>();
    for (Peer peer : List.of(second, first, gone, stage.restarted(first))) {
      claims.put(
          new Target(peer.worker(), peer.session()),
          List.of(stage.claimOf(stage.submit(RETRIES)), stage.firstClaimOf(stage.submit(RETRIES))));
    }
    var claimed = stage.dispatches.claim(stage.epoch, claims, FAR_AWAY);
    assertThat(claimed).containsOnlyKeys(first.worker(), second.worker());
    assertThat(claimed.values()).allMatch(entries -> entries.size() == 2);
    assertThat(mailbox(first)).hasSize(2);
    assertThat(stage.dispatches.readWorkers().held()).hasSize(4);
  }

  @Test
  void refused_task_is_a_candidate_again_a_moment_later() {
    var refused = stage.dispatched(RETRIES);
    stage.heartbeat(refused.refused());
    assertThat(stage.state(refused.task())).isEqualTo(TaskState.SCHEDULED);
    assertThat(candidates(10)).isEmpty();
    stage.clock.step(Duration.ofMillis(500));
    assertThat(candidates(10)).containsExactly(refused.task());
  }

  @Test
  void strict_task_is_not_claimed_while_its_lost_attempt_may_run() {
    var lost = stage.running(STRICT);
    stage.heartbeat(lost.lost(Duration.ofSeconds(20)));
    assertThat(stage.state(lost.task())).isEqualTo(TaskState.PENDING);
    assertThat(stage.promote()).isZero();
    stage.clock.step(Duration.ofSeconds(20).minusMillis(1));
    assertThat(stage.promote()).isZero();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(stage.promote()).isEqualTo(1);
    stage.claimed(stage.newWorker(), lost.task());
  }

  /** Whatever became of the task meanwhile: here its run failed, and was retried. */
  @Test
  void strict_task_that_failed_and_is_retried_waits_for_its_lost_attempt_too() {
    stage.runs.register(
        "name: w\ntasks: [{name: a, command: [x], on_worker_lost: fail, fencing: strict}]");
    var run = stage.runs.started();
    var lost = stage.claimed(stage.newWorker(), stage.runs.task(run, "a"));
    stage.heartbeat(lost.lost(Duration.ofSeconds(20)));
    stage.runs.plan();
    assertThat(stage.intake.retryRun(run)).isTrue();
    stage.runs.plan();
    assertThat(stage.state(lost.task())).isEqualTo(TaskState.SCHEDULED);
    stage.clock.step(Duration.ofSeconds(20).minusMillis(1));
    var worker = stage.newWorker();
    assertThat(candidates(10)).isEmpty();
    assertThat(stage.claim(worker, stage.claimOf(lost.task()))).isEmpty();
    stage.clock.step(Duration.ofMillis(1));
    assertThat(candidates(10)).containsExactly(lost.task());
    stage.claimed(worker, lost.task());
  }

  @Test
  void fence_counts_by_what_is_sure_and_not_only_by_the_clock() {
    var lost = stage.running(STRICT);
    stage.heartbeat(lost.lost(Duration.ofSeconds(20)));
    var until = stage.clock.instant().plusSeconds(20);
    stage.clock.step(Duration.ofSeconds(100));
    assertThat(stage.promote()).isEqualTo(1);
    var worker = stage.newWorker();
    var early = until.minusMillis(1);
    assertThat(candidates(10, early)).isEmpty();
    assertThat(stage.claim(early, worker, stage.claimOf(lost.task()))).isEmpty();
    assertThat(candidates(10, until)).containsExactly(lost.task());
    assertThat(stage.claim(until, worker, stage.claimOf(lost.task()))).hasSize(1);
  }

  /** The first retry after a loss is at once, if nothing of the first attempt can still run. */
  @Test
  void other_task_is_claimed_again_at_once() {
    var lost = stage.running(RETRIES);
    stage.heartbeat(lost.lost(Duration.ofSeconds(20)));
    assertThat(stage.promote()).isEqualTo(1);
    stage.claimed(stage.newWorker(), lost.task());
  }

  @Test
  void workers_are_read_with_what_they_hold() {
    var first = stage.newWorker();
    var second = stage.newWorker();
    stage.claimed(first, stage.submit(RETRIES));
    stage.heartbeat(stage.claimed(first, stage.submit(RETRIES)).started());
    stage.heartbeat(stage.claimed(first, stage.submit(RETRIES)).exitedAtOnce(0));
    var read = stage.dispatches.readWorkers();
    assertThat(read.workers())
        .extracting(Worker::id, Worker::session, each -> each.traits().pools())
        .containsExactly(
            tuple(first.worker(), first.session(), Set.of(POOL)),
            tuple(second.worker(), second.session(), Set.of(POOL)));
    assertThat(read.held()).extracting(Held::worker).containsOnly(first.worker()).hasSize(2);
  }

  @Test
  void silent_and_leaving_workers_get_nothing() {
    var silent = stage.newWorker();
    stage.clock.step(Duration.ofSeconds(29));
    assertThat(stage.takingWork()).hasSize(1);
    stage.clock.step(Duration.ofSeconds(1));
    assertThat(stage.takingWork()).isEmpty();
    assertThat(stage.touch(silent, 1)).isTrue();
    assertThat(stage.takingWork()).hasSize(1);
    stage.workers.drain(silent);
    assertThat(stage.takingWork()).isEmpty();
    stage.workers.markDisconnected(stage.newWorker(), true);
    assertThat(stage.takingWork()).isEmpty();
  }

  @Test
  void worker_in_trouble_gets_nothing_until_it_is_well() {
    var worker = stage.newWorker();
    var task = stage.submit(RETRIES);
    assertThat(stage.touch(worker, 1, "disk full")).isTrue();
    assertThat(stage.takingWork()).isEmpty();
    assertThat(stage.claim(worker, stage.claimOf(task))).isEmpty();
    assertThat(stage.touch(worker, 2)).isTrue();
    assertThat(stage.takingWork()).hasSize(1);
    assertThat(stage.claim(worker, stage.claimOf(task))).hasSize(1);
  }

  @Test
  void what_is_due_is_promoted_oldest_first_and_the_next_time_is_told() {
    assertThat(stage.due.promote(stage.epoch, 10)).isEqualTo(Promoted.none(Optional.empty()));
    var first = stage.running(RETRIES);
    stage.heartbeat(first.exited(1));
    stage.clock.step(Duration.ofSeconds(1));
    var second = stage.running(RETRIES);
    stage.heartbeat(second.exited(1));
    assertThat(stage.due.promote(stage.epoch, 10))
        .isEqualTo(Promoted.none(Optional.of(Duration.ofSeconds(9))));
    stage.clock.step(BACKOFF);
    var queue = QueueOf.alone("default", POOL, RETRIES);
    var queues = Set.copyOf(stage.store.queues().intern(List.of(queue)).values());
    assertThat(stage.due.promote(stage.epoch, 1))
        .isEqualTo(new Promoted(1, Optional.of(Duration.ZERO), false, queues));
    assertThat(stage.state(first.task())).isEqualTo(TaskState.SCHEDULED);
    assertThat(stage.state(second.task())).isEqualTo(TaskState.PENDING);
    assertThat(stage.due.promote(stage.epoch, 10))
        .isEqualTo(new Promoted(1, Optional.empty(), false, queues));
    assertThat(stage.path(second.task()).getLast()).isEqualTo("SCHEDULED due");
  }

  @Test
  void nothing_is_promoted_by_another_epoch() {
    var task = stage.running(RETRIES);
    stage.heartbeat(task.exited(1));
    stage.clock.step(BACKOFF);
    stage.epoch = new Epoch(7);
    assertThatThrownBy(stage::promote).isInstanceOf(Deposed.class);
    assertThat(stage.state(task.task())).isEqualTo(TaskState.PENDING);
  }

  private List<TaskId> candidates(int limit) {
    return candidates(limit, FAR_AWAY);
  }

  private List<TaskId> candidates(int limit, Instant sure) {
    return stage.candidates(Map.of(POOL, limit), List.of(), sure).stream()
        .map(Candidate::task)
        .toList();
  }

  private List<MailboxEntry> mailbox(Peer peer) {
    return stage.workers.readMailbox(peer, List.of()).orElseThrow();
  }
}
