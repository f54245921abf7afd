package dev.belay.session.gateway;

import static dev.belay.session.gateway.Talk.A;
import static dev.belay.session.gateway.Talk.B;
import static dev.belay.session.gateway.Talk.MINE;
import static dev.belay.session.gateway.Talk.OLDER;
import static dev.belay.session.gateway.Talk.answers;
import static dev.belay.session.gateway.Talk.entry;
import static dev.belay.session.gateway.Talk.finished;
import static dev.belay.session.gateway.Talk.greeted;
import static dev.belay.session.gateway.Talk.held;
import static dev.belay.session.gateway.Talk.open;
import static dev.belay.session.gateway.Talk.started;
import static dev.belay.session.gateway.Talk.strict;
import static dev.belay.session.gateway.Talk.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.protocol.agent.v1.Held;
import dev.belay.session.gateway.MailboxEntry.State;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Strict dispatches run only when their start is committed. */
class GrantTest {

  @ParameterizedTest
  @EnumSource(names = {"APPLIED", "DUPLICATE"})
  void a_start_is_granted_after_its_commit(Answer answer) {
    var connection = open(strict(A, MINE, State.DISPATCHED));
    var applied = connection.received(started(A));
    assertThat(told(applied)).containsExactly("started A at 10 in mine");
    assertThat(told(connection.settled(answers(applied, answer)))).containsExactly("GRANTED A");
  }

  @Test
  void starts_that_are_settled_together_are_granted_together() {
    var connection = open(strict(A, MINE, State.DISPATCHED), strict(B, MINE, State.DISPATCHED));
    var first = answers(connection.received(started(A)), Answer.APPLIED);
    var second = answers(connection.received(started(B)), Answer.APPLIED);
    assertThat(told(connection.settled(List.of(first.getFirst(), second.getFirst()))))
        .containsExactly("GRANTED A B");
  }

  @Test
  void a_start_that_nobody_waits_for_is_not_granted_and_stopped_by_the_next_mailbox() {
    var connection = open(strict(A, MINE, State.DISPATCHED));
    var applied = connection.received(started(A));
    assertThat(connection.settled(answers(applied, Answer.VOID))).isEmpty();
    assertThat(told(connection.mailbox(List.of()))).containsExactly("ABORT A void");
  }

  @Test
  void other_starts_are_not_answered() {
    var connection = open(entry(A, MINE));
    var applied = connection.received(started(A));
    assertThat(connection.settled(answers(applied, Answer.APPLIED))).isEmpty();
  }

  @Test
  void an_end_that_came_first_leaves_nothing_to_grant() {
    var connection = open(strict(A, MINE, State.DISPATCHED));
    var applied = connection.received(started(A));
    connection.received(finished(A));
    assertThat(connection.settled(answers(applied, Answer.APPLIED))).isEmpty();
  }

  @Test
  void a_grant_that_was_lost_with_its_connection_is_given_when_it_is_asked_for_again() {
    var connection = greeted(held(A, Held.Phase.PREPARING));
    assertThat(told(connection.mailbox(List.of(strict(A, MINE, State.RUNNING)))))
        .containsExactly("WELCOME");
    var applied = connection.received(started(A));
    assertThat(told(connection.settled(answers(applied, Answer.DUPLICATE))))
        .containsExactly("GRANTED A");
  }

  @Test
  void what_asked_in_a_session_that_is_over_is_lost() {
    var connection = greeted(held(A, Held.Phase.PREPARING));
    assertThat(told(connection.mailbox(List.of(strict(A, OLDER, State.RUNNING)))))
        .containsExactly("WELCOME", "lost A worker_restarted for 65600 in older");
  }

  @Test
  void a_start_under_a_binding_that_moved_is_said_again() {
    var connection = greeted(held(A, Held.Phase.RUNNING));
    connection.mailbox(List.of(entry(A, MINE)));
    var applied = connection.received(started(A));
    connection.settled(answers(applied, Answer.VOID));
    assertThat(told(connection.mailbox(List.of(entry(A, MINE)))))
        .containsExactly("started A at 10 in mine");
  }
}
