package dev.belay.simulation.contract;

import static dev.belay.simulation.contract.Stage.RETRIES;
import static dev.belay.simulation.contract.Stage.reconnected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.task.TaskState;
import dev.belay.session.gateway.GatewayCommand.Binding;
import dev.belay.session.gateway.MailboxEntry;
import dev.belay.session.gateway.Registration;
import dev.belay.session.gateway.Registration.Refused;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hellos, mailboxes, bindings, signs of life. */
abstract class WorkerContract extends Contract {

  private static final WorkerKey OTHER = WorkerKey.random(new Random(2));
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

  @Test
  void process_without_a_higher_number_is_told_the_last_one() {
    var first = stage.newWorker();
    for (long number : List.of(1_000L, 1L)) {
      var restarted = stage.restarted(first);
      assertThat(stage.register(restarted, number)).isEqualTo(Refused.older(restarted, 1_000));
    }
    assertThat(stage.register(first, 1_000)).isEqualTo(Refused.older(first, 0));
    assertThat(stage.register(stage.restarted(first), 1_001)).isEqualTo(ACCEPTED);
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
    stage.heartbeat(told.started());
    stage.heartbeat(stage.claimed(worker, stage.submit(RETRIES)).exitedAtOnce(0));
    var mailbox = stage.workers.readMailbox(worker, List.of(told.id())).orElseThrow();
    assertThat(mailbox)
        .extracting(MailboxEntry::id)
        .containsExactlyInAnyOrder(told.id(), fresh.id());
    for (var entry : mailbox) {
      boolean again = entry.id().equals(told.id());
      assertThat(entry.state())
          .isEqualTo(again ? MailboxEntry.State.RUNNING : MailboxEntry.State.DISPATCHED);
      assertThat(entry.assignment().isEmpty()).isEqualTo(again);
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
    var binding = task.binding(false);
    assertThat(stage.workers.rebind(restarted, List.of(binding))).isEmpty();
    stage.register(restarted, 2_000);
    var elsewhere = new Binding(task.task(), task.id(), new SessionId(stage.ids().next()), false);
    assertThat(stage.workers.rebind(restarted, List.of(elsewhere))).isEmpty();
    assertThat(stage.workers.rebind(restarted, List.of(binding))).containsExactly(task.id());
    assertThat(stage.workers.rebind(restarted, List.of(binding))).isEmpty();
    assertThat(stage.heartbeat(task.exitedAtOnce(0))).containsExactly(Answer.VOID);
    assertThat(stage.heartbeat(task.by(restarted).exitedAtOnce(0))).containsExactly(Answer.APPLIED);
  }

  @Test
  void what_runs_moves_only_when_it_outlived_its_session() {
    var task = stage.running(RETRIES);
    var restarted = stage.restarted(task.to());
    stage.register(restarted, 2_000);
    assertThat(stage.workers.rebind(restarted, List.of(task.binding(false)))).isEmpty();
    assertThat(stage.workers.rebind(restarted, List.of(task.binding(true))))
        .containsExactly(task.id());
    assertThat(stage.state(task.task())).isEqualTo(TaskState.RUNNING);
  }

  @Test
  void what_is_over_or_of_another_worker_is_not_bound() {
    var over = stage.dispatched(RETRIES);
    var others = stage.dispatched(RETRIES);
    stage.heartbeat(over.exitedAtOnce(0));
    var restarted = stage.restarted(over.to());
    stage.register(restarted, 2_000);
    var bindings = List.of(over.binding(true), others.binding(true));
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
    assertThat(stage.takingWork()).hasSize(1);
    stage.workers.markDisconnected(next, true);
    assertThat(stage.takingWork()).isEmpty();
    assertThat(stage.touch(next, 1)).isTrue();
    assertThat(stage.takingWork()).isEmpty();
    stage.register(reconnected(next), 1_000);
    assertThat(stage.takingWork()).hasSize(1);
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
    assertThat(stage.register(silent, 1_000)).as("late hello").isInstanceOf(Refused.class);
    assertThat(stage.register(reconnected(silent), 1_000)).isEqualTo(ACCEPTED);
  }

  @Test
  void wrong_key_registers_nobody_and_touches_nothing() {
    var task = stage.dispatched(RETRIES);
    var worker = task.to();
    var thief = stage.restarted(worker);
    assertThat(stage.register(thief, 9_000, OTHER)).isEqualTo(Refused.wrongKey(thief));
    assertThat(stage.register(reconnected(worker), 1_000, OTHER)).isInstanceOf(Refused.class);
    assertThat(stage.workers.readMailbox(thief, List.of())).isEmpty();
    var binding = task.binding(true);
    assertThat(stage.workers.rebind(thief, List.of(binding))).isEmpty();
    assertThat(stage.touch(thief, 1)).isFalse();
    assertThat(stage.touch(worker, 1)).isTrue();
    assertThat(stage.workers.readMailbox(worker, List.of()).orElseThrow()).hasSize(1);
    assertThat(stage.heartbeat(task.by(thief).exitedAtOnce(0))).containsExactly(Answer.VOID);
    assertThat(stage.heartbeat(task.exitedAtOnce(0))).containsExactly(Answer.APPLIED);
  }

  @Test
  void worker_that_was_removed_keeps_its_key() {
    var task = stage.dispatched(RETRIES);
    stage.workers.markDisconnected(task.to(), true);
    assertThat(stage.intake.removeWorker(task.to().worker())).isTrue();
    var next = stage.restarted(task.to());
    assertThat(stage.register(next, 2_000, OTHER)).isEqualTo(Refused.wrongKey(next));
    assertThat(stage.register(next, 2_000)).isEqualTo(ACCEPTED);
  }

  @Test
  void revoked_worker_is_cut_and_stays_out_until_it_is_allowed() {
    var worker = stage.newWorker();
    assertThat(stage.intake.revokeWorker(worker.worker())).isTrue();
    assertThat(stage.touch(worker, 1)).isFalse();
    assertThat(stage.workers.readMailbox(worker, List.of())).isEmpty();
    var next = stage.restarted(worker);
    assertThat(stage.register(next, 2_000)).isEqualTo(Refused.revoked(next));
    assertThat(stage.register(next, 2_000, OTHER)).isEqualTo(Refused.wrongKey(next));
    assertThat(stage.intake.revokeWorker(worker.worker())).as("again").isTrue();
    assertThat(stage.intake.allowWorker(worker.worker())).isTrue();
    assertThat(stage.intake.allowWorker(worker.worker())).isFalse();
    assertThat(stage.register(next, 1, OTHER)).isEqualTo(ACCEPTED);
    assertThat(stage.intake.revokeWorker(new WorkerId(stage.ids().next()))).isFalse();
  }
}
