package dev.belay.session.gateway;

import static dev.belay.session.gateway.Talk.A;
import static dev.belay.session.gateway.Talk.B;
import static dev.belay.session.gateway.Talk.C;
import static dev.belay.session.gateway.Talk.MINE;
import static dev.belay.session.gateway.Talk.OLDER;
import static dev.belay.session.gateway.Talk.answers;
import static dev.belay.session.gateway.Talk.connection;
import static dev.belay.session.gateway.Talk.entry;
import static dev.belay.session.gateway.Talk.finished;
import static dev.belay.session.gateway.Talk.greeted;
import static dev.belay.session.gateway.Talk.held;
import static dev.belay.session.gateway.Talk.helloOf;
import static dev.belay.session.gateway.Talk.message;
import static dev.belay.session.gateway.Talk.running;
import static dev.belay.session.gateway.Talk.started;
import static dev.belay.session.gateway.Talk.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.session.gateway.MailboxEntry.State;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Running work after a restart of its worker or a reboot of its machine. */
class RestartTest {

  @Test
  void work_that_outlived_its_session_is_taken_over_and_not_assigned() {
    var connection = greeted(adopted(A));
    assertThat(told(connection.mailbox(List.of(running(A, OLDER)))))
        .containsExactly("WELCOME", "rebind adopted A from older");
    assertThat(connection.rebound(List.of(A))).isEmpty();
    assertThat(connection.mailbox(List.of(running(A, OLDER))))
        .as("a mailbox read before the rebind committed")
        .isEmpty();
    assertThat(connection.mailbox(List.of(running(A, MINE)))).isEmpty();
    assertThat(told(connection.received(finished(A)))).containsExactly("finished A in mine");
  }

  @Test
  void adopted_work_whose_start_the_database_missed_is_taken_over_and_started() {
    var connection = greeted(adopted(A));
    assertThat(told(connection.mailbox(List.of(entry(A, OLDER)))))
        .containsExactly("WELCOME", "rebind adopted A from older");
    var early = connection.received(started(A));
    connection.rebound(List.of(A));
    connection.settled(answers(early, Answer.VOID));
    assertThat(told(connection.mailbox(List.of(entry(A, MINE)))))
        .containsExactly("started A at 10 in mine");
  }

  @Test
  void an_abort_of_adopted_work_follows_its_takeover() {
    var connection = greeted(adopted(A));
    var aborted = entry(A, OLDER, State.RUNNING, "cancelled");
    assertThat(told(connection.mailbox(List.of(aborted))))
        .containsExactly("WELCOME", "rebind adopted A from older");
    assertThat(told(connection.rebound(List.of(A)))).containsExactly("ABORT A cancelled");
  }

  @Test
  void an_outcome_that_crosses_the_takeover_is_said_again_under_the_new_session() {
    var connection = greeted(adopted(A));
    connection.mailbox(List.of(running(A, OLDER)));
    var early = connection.received(finished(A));
    assertThat(told(early)).containsExactly("finished A in older");
    connection.rebound(List.of(A));
    var again = connection.settled(answers(early, Answer.VOID));
    assertThat(told(again)).containsExactly("finished A in mine");
    assertThat(told(connection.settled(answers(again, Answer.VOID))))
        .as("and no more than once")
        .containsExactly("SETTLED A VOID");
  }

  @Test
  void adopted_work_that_nobody_waits_for_is_void() {
    assertThat(told(greeted(adopted(A)).mailbox(List.of())))
        .containsExactly("WELCOME", "ABORT A void");
  }

  @Test
  void what_ran_on_a_machine_that_was_started_anew_died_with_it() {
    var connection = connection();
    connection.received(
        message(
            helloOf()
                .setRebooted(true)
                .setJournalComplete(false)
                .addHeld(held(A, Held.Phase.DIED))));
    connection.registered(new Registration.Accepted());
    assertThat(
            told(
                connection.mailbox(List.of(running(A, OLDER), running(B, OLDER), entry(C, OLDER)))))
        .containsExactly(
            "WELCOME",
            "lost A machine_rebooted in older",
            "lost B machine_rebooted for 65600 in older",
            "lost C worker_restarted for 65600 in older");
  }

  private static Held adopted(DispatchId id) {
    return held(id, Held.Phase.RUNNING).toBuilder().setAdopted(true).build();
  }
}
