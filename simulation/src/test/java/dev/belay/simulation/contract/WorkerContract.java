package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.reconnected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.task.TaskState;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Settlement.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hellos, mailboxes, bindings, signs of life. */
abstract class WorkerContract extends Contract {

  private static final Registration ACCEPTED = new Registration.Accepted();

  WorkerContract(Ground ground) {
    super(ground);
  }

  @Test
  void newer_connection_or_process_replaces_the_older() {
    var first = stage.newWorker();
    var second = reconnected(first);
    assertThat(stage.register(second, 1_000)).isEqualTo(ACCEPTED);
    assertThat(stage.register(second, 1_000)).isInstanceOf(Registration.Refused.class);
    assertThat(stage.register(first, 1_000)).isInstanceOf(Registration.Refused.class);
    var restarted = stage.restarted(first);
    assertThat(stage.register(restarted, 2_000)).isEqualTo(ACCEPTED);
    assertThat(stage.register(reconnected(second), 1_000)).isInstanceOf(Registration.Refused.class);
    assertThat(stage.workers.readMailbox(restarted, List.of())).hasValue(List.of());
    assertThat(stage.workers.readMailbox(second, List.of())).isEmpty();
  }

  /** Two processes may have started in the same millisecond; the later hello wins. */
  @Test
  void process_that_is_not_older_replaces_the_other() {
    var first = stage.newWorker();
    assertThat(stage.register(stage.restarted(first), 1_000)).isEqualTo(ACCEPTED);
    assertThat(stage.register(stage.restarted(first), 999))
        .isInstanceOf(Registration.Refused.class);
  }

  @Test
  void refusal_is_not_for_ever() {
    var first = stage.newWorker();
    stage.register(reconnected(first), 1_000);
    assertThat(((Registration.Refused) stage.register(first, 1_000)).permanent()).isFalse();
  }

  @Test
  void mailbox_has_every_active_task_and_says_which_it_need_not_repeat() {
    var worker = stage.newWorker();
    var told = stage.claimed(worker, stage.submit(RETRIES));
    var fresh = stage.claimed(worker, stage.submit(RETRIES));
    stage.report(told.started());
    stage.report(stage.claimed(worker, stage.submit(RETRIES)).exitedAtOnce(0));
    var mailbox = stage.workers.readMailbox(worker, List.of(told.id())).orElseThrow();
    assertThat(mailbox)
        .extracting(MailboxEntry::id)
        .containsExactlyInAnyOrder(told.id(), fresh.id());
    for (var entry : mailbox) {
      boolean again = entry.id().equals(told.id());
      assertThat(entry.state())
          .isEqualTo(again ? MailboxEntry.State.RUNNING : MailboxEntry.State.DISPATCHED);
      assertThat(entry.dispatch().equals(Dispatch.getDefaultInstance())).isEqualTo(again);
    }
  }

  @Test
  void mailbox_of_a_superseded_connection_is_not_read() {
    var first = stage.newWorker();
    stage.claimed(first, stage.submit(RETRIES));
    assertThat(stage.workers.readMailbox(first, List.of()).orElseThrow()).hasSize(1);
    stage.register(reconnected(first), 1_000);
    assertThat(stage.workers.readMailbox(first, List.of())).isEmpty();
    var restarted = stage.restarted(first);
    assertThat(stage.workers.readMailbox(restarted, List.of())).isEmpty();
    stage.register(restarted, 2_000);
    var inherited = stage.workers.readMailbox(restarted, List.of()).orElseThrow();
    assertThat(inherited).hasSize(1);
    assertThat(inherited.getFirst().session()).isEqualTo(first.session());
  }

  @Test
  void what_never_started_moves_to_the_new_session() {
    var task = stage.dispatched(RETRIES);
    var restarted = stage.restarted(task.to());
    var binding = new Binding(task.id(), task.to().session(), false);
    assertThat(stage.workers.rebind(restarted, List.of(binding))).isEmpty();
    stage.register(restarted, 2_000);
    var elsewhere = new Binding(task.id(), new SessionId(stage.ids().next()), false);
    assertThat(stage.workers.rebind(restarted, List.of(elsewhere))).isEmpty();
    assertThat(stage.workers.rebind(restarted, List.of(binding))).containsExactly(task.id());
    assertThat(stage.workers.rebind(restarted, List.of(binding))).isEmpty();
    assertThat(stage.report(task.exitedAtOnce(0))).containsExactly(Answer.VOID);
    assertThat(stage.report(task.by(restarted).exitedAtOnce(0))).containsExactly(Answer.APPLIED);
  }

  @Test
  void what_runs_moves_only_when_it_outlived_its_session() {
    var task = stage.running(RETRIES);
    var restarted = stage.restarted(task.to());
    stage.register(restarted, 2_000);
    var session = task.to().session();
    assertThat(stage.workers.rebind(restarted, List.of(new Binding(task.id(), session, false))))
        .isEmpty();
    assertThat(stage.workers.rebind(restarted, List.of(new Binding(task.id(), session, true))))
        .containsExactly(task.id());
    assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
  }

  @Test
  void what_is_over_or_of_another_worker_is_not_bound() {
    var over = stage.dispatched(RETRIES);
    var others = stage.dispatched(RETRIES);
    stage.report(over.exitedAtOnce(0));
    var restarted = stage.restarted(over.to());
    stage.register(restarted, 2_000);
    var bindings =
        List.of(
            new Binding(over.id(), over.to().session(), true),
            new Binding(others.id(), others.to().session(), true));
    assertThat(stage.workers.rebind(restarted, bindings)).isEmpty();
  }

  @Test
  void report_counts_when_it_is_newer_and_of_the_registered_connection() {
    var worker = stage.newWorker();
    assertThat(stage.touch(worker, 1)).isTrue();
    assertThat(stage.touch(worker, 3)).isTrue();
    assertThat(stage.touch(worker, 3)).isFalse();
    assertThat(stage.touch(worker, 2)).isFalse();
    var next = reconnected(worker);
    assertThat(stage.touch(next, 4)).isFalse();
    stage.register(next, 1_000);
    assertThat(stage.touch(worker, 9)).isFalse();
    assertThat(stage.touch(next, 1)).isTrue();
  }

  @Test
  void late_word_of_an_older_connection_ends_nothing() {
    var worker = stage.newWorker();
    var next = reconnected(worker);
    stage.register(next, 1_000);
    stage.workers.markDisconnected(worker, true);
    stage.workers.drain(worker);
    assertThat(stage.dispatches.readWorkers()).hasSize(1);
    stage.workers.markDisconnected(next, true);
    assertThat(stage.dispatches.readWorkers()).isEmpty();
    assertThat(stage.touch(next, 1)).isTrue();
    assertThat(stage.dispatches.readWorkers()).isEmpty();
    stage.register(reconnected(next), 1_000);
    assertThat(stage.dispatches.readWorkers()).hasSize(1);
  }

  @Test
  void only_a_worker_that_nobody_hears_is_removed() {
    var worker = stage.newWorker();
    assertThat(stage.intake.removeWorker(worker.worker())).isFalse();
    stage.workers.markDisconnected(worker, false);
    assertThat(stage.intake.removeWorker(worker.worker())).isTrue();
    assertThat(stage.intake.removeWorker(worker.worker())).isFalse();
    assertThat(stage.workers.readMailbox(worker, List.of())).isEmpty();
    assertThat(stage.touch(worker, 1)).isFalse();
    var silent = stage.newWorker();
    stage.clock.step(Duration.ofSeconds(30));
    assertThat(stage.intake.removeWorker(silent.worker())).isTrue();
    assertThat(stage.register(silent, 1_000)).isEqualTo(ACCEPTED);
  }
}
