package dev.belay.simulation.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.deadletter.DeadLetters;
import dev.belay.engine.port.Deposed;
import dev.belay.engine.port.DispatchStore.Claim;
import dev.belay.engine.port.DispatchStore.Target;
import dev.belay.engine.port.Epoch;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Peer;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import dev.belay.session.gateway.WorkerHello;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import dev.belay.simulation.Sabotage;
import dev.belay.simulation.guard.Guards;
import dev.belay.simulation.guard.RaceGuard;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Two that do not know of each other, and what happens when the guard between them is missing. */
class GuardedWritesTest {

  private static final WorkerId WORKER = new WorkerId(new UUID(1, 1));
  private static final SessionId SESSION = new SessionId(new UUID(2, 1));
  private static final SessionId NEXT_SESSION = new SessionId(new UUID(2, 2));
  private static final TaskId TASK = new TaskId(new UUID(3, 1));
  private static final DispatchId FIRST = new DispatchId(new UUID(4, 1));
  private static final DispatchId SECOND = new DispatchId(new UUID(4, 2));

  private Tables tables = tables(List.of());

  private static Tables tables(List<RaceGuard> missing) {
    var tables = new Tables(InstantSource.fixed(Instant.EPOCH), Guards.without(missing));
    tables.database.<Integer>statement(
        statement -> {
          var task = new TaskRow(TASK, "default", null, "t", 50, "p", false, Instant.EPOCH);
          task.state = TaskState.SCHEDULED;
          task.work = new Work(List.of("true"), null, Map.of(), RunPolicy.DEFAULT);
          statement.insert(tables.task, TASK, task);
          return 0;
        });
    return tables;
  }

  private void hello(SessionId session, long number) {
    var profile = new WorkerHello.Profile("w", new Offer(List.of("p"), 4, Map.of()), "1", "x");
    var peer = new Peer(WORKER, session, 1);
    new MemoryWorkers(tables)
        .register(
            new WorkerHello(peer, WorkerKey.random(new Random(1)), number, 0, profile), "replica");
  }

  private Epoch lead(String replica) {
    return new MemoryElection(tables, replica).campaign().orElseThrow();
  }

  private List<MailboxEntry> claim(Epoch epoch, DispatchId dispatch) {
    return new MemoryDispatch(tables)
        .claim(
            epoch,
            Map.of(new Target(WORKER, SESSION), List.of(new Claim(TASK, dispatch, 0))),
            Instant.MAX)
        .getOrDefault(WORKER, List.of());
  }

  private List<Answer> heartbeat(WorkerEvent... events) {
    return Sabotage.results(
            new MemoryTransactions(tables),
            new RetryDecision(new Random(1)),
            new DeadLetters(() -> new UUID(5, 1), false),
            tables.guards)
        .write(List.of(events))
        .settlements()
        .stream()
        .map(Settlement::answer)
        .toList();
  }

  private static WorkerEvent started(DispatchId dispatch) {
    return new WorkerEvent.Started(WORKER, SESSION, dispatch, TASK, 0);
  }

  private static WorkerEvent finished(DispatchId dispatch, int code, boolean startTold) {
    return new WorkerEvent.Ended(
        WORKER,
        SESSION,
        dispatch,
        TASK,
        startTold,
        new Outcome.Exited(code, 0),
        WorkerEvent.Execution.UNKNOWN);
  }

  private TaskRow task() {
    return tables.database.statement(statement -> statement.read(tables.task, TASK).orElseThrow());
  }

  private void meanwhile(int statement, Runnable act) {
    int[] left = {statement};
    tables.database.others(
        () -> {
          if (left[0]-- == 0) {
            act.run();
          }
        });
  }

  @Test
  void new_leader_cuts_off_the_write_of_the_old_one() {
    hello(SESSION, 1);
    var old = new MemoryElection(tables, "old");
    var epoch = old.campaign().orElseThrow();
    meanwhile(
        1,
        () -> {
          old.resign();
          lead("new");
        });
    assertThatThrownBy(() -> claim(epoch, FIRST)).isInstanceOf(Terminated.class);
    assertThat(task().state).isEqualTo(TaskState.SCHEDULED);
    assertThat(old.renew()).isFalse();
    assertThat(tables.writesOfDeposed).isEmpty();
  }

  @Test
  void old_leader_is_refused_and_without_the_guard_is_found_out() {
    hello(SESSION, 1);
    var old = new MemoryElection(tables, "old");
    var epoch = old.campaign().orElseThrow();
    old.resign();
    lead("new");
    assertThatThrownBy(() -> claim(epoch, FIRST)).isInstanceOf(Deposed.class);
    assertThat(task().state).isEqualTo(TaskState.SCHEDULED);

    tables = tables(List.of(RaceGuard.EPOCH));
    hello(SESSION, 1);
    lead("new");
    assertThat(claim(new Epoch(0), FIRST)).hasSize(1);
    assertThat(tables.writesOfDeposed).hasSize(1);
  }

  @Test
  void only_one_leads_and_a_session_that_ends_while_it_campaigns_does_not() {
    var first = new MemoryElection(tables, "first");
    var second = new MemoryElection(tables, "second");
    meanwhile(2, first::resign);
    assertThat(first.campaign()).isEmpty();
    assertThat(first.renew()).isFalse();
    assertThat(second.campaign()).contains(new Epoch(1));
    assertThat(first.campaign()).isEmpty();
    assertThat(second.renew()).isTrue();
  }

  @Test
  void claim_takes_nothing_for_a_session_that_was_replaced_meanwhile() {
    hello(SESSION, 1);
    var epoch = lead("leader");
    meanwhile(1, () -> hello(NEXT_SESSION, 2));
    assertThat(claim(epoch, FIRST)).isEmpty();
    assertThat(task().state).isEqualTo(TaskState.SCHEDULED);

    tables = tables(List.of(RaceGuard.CLAIM_SESSION));
    hello(SESSION, 1);
    var unguarded = lead("leader");
    meanwhile(1, () -> hello(NEXT_SESSION, 2));
    assertThat(claim(unguarded, FIRST)).hasSize(1);
  }

  @Test
  void start_and_end_in_one_batch_are_one_change() {
    hello(SESSION, 1);
    claim(lead("leader"), FIRST);
    assertThat(heartbeat(started(FIRST), finished(FIRST, 0, true)))
        .containsExactly(Answer.APPLIED, Answer.APPLIED);
    assertThat(task().state).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void repeated_report_on_an_older_dispatch_ends_nothing() {
    assertThat(stateAfterRepeatedReport()).isEqualTo(TaskState.DISPATCHED);

    tables = tables(List.of(RaceGuard.DISPATCH_ID));
    assertThat(stateAfterRepeatedReport()).isNotEqualTo(TaskState.DISPATCHED);
  }

  private TaskState stateAfterRepeatedReport() {
    hello(SESSION, 1);
    var epoch = lead("leader");
    claim(epoch, FIRST);
    heartbeat(WorkerEvent.Ended.of(WORKER, SESSION, FIRST, TASK, new Outcome.Refused("full")));
    claim(epoch, SECOND);
    heartbeat(WorkerEvent.Ended.of(WORKER, SESSION, FIRST, TASK, new Outcome.Refused("full")));
    return task().state;
  }

  @Test
  void start_that_comes_again_after_the_end_changes_nothing() {
    assertThat(stateAfterRepeatedStart()).isEqualTo(TaskState.SUCCEEDED);

    tables = tables(List.of(RaceGuard.FROM_STATE));
    assertThat(stateAfterRepeatedStart()).isEqualTo(TaskState.RUNNING);
  }

  private TaskState stateAfterRepeatedStart() {
    hello(SESSION, 1);
    claim(lead("leader"), FIRST);
    heartbeat(started(FIRST), finished(FIRST, 0, true));
    heartbeat(started(FIRST));
    return task().state;
  }

  @Test
  void nobody_writes_between_the_lock_and_the_judgement() {
    hello(SESSION, 1);
    claim(lead("leader"), FIRST);
    meanwhile(
        1,
        () ->
            assertThatThrownBy(() -> heartbeat(started(FIRST)))
                .isInstanceOf(LockNotAvailable.class));
    assertThat(heartbeat(finished(FIRST, 99, false))).containsExactly(Answer.APPLIED);
    assertThat(task().state).isEqualTo(TaskState.SKIPPED);
    assertThat(heartbeat(started(FIRST))).containsExactly(Answer.VOID);
  }
}
