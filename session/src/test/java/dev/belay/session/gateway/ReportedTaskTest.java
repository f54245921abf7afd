package dev.belay.session.gateway;

import static dev.belay.session.gateway.Talk.A;
import static dev.belay.session.gateway.Talk.B;
import static dev.belay.session.gateway.Talk.C;
import static dev.belay.session.gateway.Talk.MINE;
import static dev.belay.session.gateway.Talk.OLDER;
import static dev.belay.session.gateway.Talk.OTHER;
import static dev.belay.session.gateway.Talk.entry;
import static dev.belay.session.gateway.Talk.finished;
import static dev.belay.session.gateway.Talk.greeted;
import static dev.belay.session.gateway.Talk.held;
import static dev.belay.session.gateway.Talk.open;
import static dev.belay.session.gateway.Talk.refused;
import static dev.belay.session.gateway.Talk.running;
import static dev.belay.session.gateway.Talk.started;
import static dev.belay.session.gateway.Talk.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.protocol.agent.v1.Held;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The task of a dispatch: a mailbox decides, then the agent's first message about it. */
class ReportedTaskTest {

  @Test
  void a_report_decides_the_task_of_an_unknown_dispatch() {
    var connection = open();
    assertThat(told(connection.received(started(A, OTHER))))
        .containsExactly("started A at 10 in mine of another task");
    assertThat(told(connection.received(finished(B, OTHER))))
        .containsExactly("finished B in mine of another task");
    assertThat(told(connection.received(refused(C, OTHER))))
        .containsExactly("refused C full in mine of another task");
  }

  @Test
  void a_later_report_that_names_another_task_does_not_change_it() {
    var connection = open();
    connection.received(started(A));
    assertThat(told(connection.received(finished(A, OTHER)))).containsExactly("finished A in mine");
  }

  @Test
  void a_report_that_names_another_task_than_the_mailbox_does_not_change_it() {
    var connection = open(entry(A, MINE), entry(B, MINE));
    assertThat(told(connection.received(started(A, OTHER))))
        .containsExactly("started A at 10 in mine");
    assertThat(told(connection.received(finished(A, OTHER)))).containsExactly("finished A in mine");
    assertThat(told(connection.received(refused(B, OTHER))))
        .containsExactly("refused B full in mine");
  }

  @Test
  void a_report_that_names_another_task_than_the_hello_does_not_change_it() {
    var connection = greeted(held(A, Held.Phase.ENDED));
    assertThat(told(connection.mailbox(List.of()))).containsExactly("WELCOME");
    assertThat(told(connection.received(finished(A, OTHER)))).containsExactly("finished A in mine");
  }

  @Test
  void the_hello_names_the_task_of_an_outcome_that_no_mailbox_shows() {
    var connection = greeted(held(A, Held.Phase.ENDED, OTHER));
    connection.mailbox(List.of());
    assertThat(told(connection.received(finished(A))))
        .containsExactly("finished A in mine of another task");
  }

  @Test
  void a_mailbox_corrects_the_hello() {
    var connection =
        greeted(
            held(A, Held.Phase.ENDED, OTHER),
            held(B, Held.Phase.DIED, OTHER),
            held(C, Held.Phase.PREPARING, OTHER));
    assertThat(
            told(
                connection.mailbox(List.of(running(A, OLDER), running(B, OLDER), entry(C, OLDER)))))
        .containsExactly("WELCOME", "lost B worker_restarted in older", "rebind C from older");
    assertThat(told(connection.received(finished(A, OTHER))))
        .containsExactly("finished A in older");
  }
}
