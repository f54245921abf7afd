package dev.belay.session.gateway;

import static dev.belay.session.gateway.Talk.A;
import static dev.belay.session.gateway.Talk.B;
import static dev.belay.session.gateway.Talk.C;
import static dev.belay.session.gateway.Talk.LIMITS;
import static dev.belay.session.gateway.Talk.MINE;
import static dev.belay.session.gateway.Talk.OLDER;
import static dev.belay.session.gateway.Talk.OLDEST;
import static dev.belay.session.gateway.Talk.acked;
import static dev.belay.session.gateway.Talk.answers;
import static dev.belay.session.gateway.Talk.connection;
import static dev.belay.session.gateway.Talk.entry;
import static dev.belay.session.gateway.Talk.finished;
import static dev.belay.session.gateway.Talk.greeted;
import static dev.belay.session.gateway.Talk.heartbeat;
import static dev.belay.session.gateway.Talk.held;
import static dev.belay.session.gateway.Talk.hello;
import static dev.belay.session.gateway.Talk.helloOf;
import static dev.belay.session.gateway.Talk.message;
import static dev.belay.session.gateway.Talk.open;
import static dev.belay.session.gateway.Talk.refused;
import static dev.belay.session.gateway.Talk.running;
import static dev.belay.session.gateway.Talk.started;
import static dev.belay.session.gateway.Talk.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Draining;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Results;
import dev.belay.session.gateway.MailboxEntry.State;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WorkerConnectionTest {
  @Test
  void a_hello_is_registered_then_compared_and_only_then_welcomed() {
    var connection = connection();
    assertThat(told(connection.received(hello()))).containsExactly("register 7");
    assertThat(told(connection.registered(new Registration.Accepted()))).containsExactly("read");
    assertThat(told(connection.mailbox(List.of(entry(A, MINE)))))
        .containsExactly("WELCOME", "ASSIGN A");
  }

  @Test
  void a_refused_hello_is_rejected_and_closed() {
    var connection = connection();
    connection.received(hello());
    assertThat(
            told(
                connection.registered(
                    new Registration.Refused(Registration.HelloRefusal.REVOKED, "taken", 0))))
        .containsExactly("REJECT taken true", "close rejected: taken");
  }

  @Test
  void a_stream_without_a_hello_is_closed_after_a_while() {
    var connection = connection();
    for (int i = 0; i < 30; i++) {
      assertThat(connection.wake()).isEmpty();
    }
    assertThat(told(connection.wake())).containsExactly("close no hello came");
    assertThat(told(connection().received(AgentMessage.getDefaultInstance())))
        .containsExactly("close the first message must be a hello");
  }

  @Test
  void the_first_message_must_be_a_hello_and_there_is_only_one() {
    assertThat(told(connection().received(started(A))))
        .containsExactly("close the first message must be a hello");
    assertThat(told(open().received(hello()))).containsExactly("close a second hello");
  }

  @Test
  void a_message_before_the_welcome_closes() {
    var connection = connection();
    connection.received(hello());
    assertThat(told(connection.received(started(A))))
        .containsExactly("close a message before the welcome");
  }

  @Test
  void a_start_that_the_database_missed_is_applied_once() {
    var connection = greeted(held(A, Held.Phase.RUNNING));
    assertThat(told(connection.mailbox(List.of(entry(A, MINE)))))
        .as("the agent says it after the welcome, with its time")
        .containsExactly("WELCOME");
    assertThat(told(connection.received(started(A)))).containsExactly("started A at 10 in mine");
    assertThat(connection.received(started(A))).isEmpty();
    assertThat(connection.mailbox(List.of(entry(A, MINE)))).isEmpty();
  }

  @Test
  void a_running_dispatch_that_the_agent_does_not_know_is_lost() {
    var connection = greeted();
    assertThat(told(connection.mailbox(List.of(running(A, MINE)))))
        .containsExactly("WELCOME", "lost A not_reported for 65600 in mine");
    assertThat(connection.mailbox(List.of(running(A, MINE)))).as("said once").isEmpty();
  }

  @Test
  void many_results_come_in_one_message() {
    var connection = open(entry(A, MINE), entry(B, MINE), entry(C, MINE));
    var results =
        Results.newBuilder()
            .addFinished(finished(A).getFinished())
            .addStarted(started(A).getStarted())
            .addRefused(refused(C).getRefused());
    assertThat(told(connection.received(results(results))))
        .containsExactly("started A at 10 in mine", "finished A in mine", "refused C full in mine");
    results.addFinished(finished(B).getFinished().toBuilder().clearExit());
    assertThat(told(connection.received(results(results))))
        .containsExactly("close finished: no outcome");
  }

  @Test
  void too_many_results_in_one_message_are_refused() {
    var many = Collections.nCopies(501, started(A).getStarted());
    assertThat(told(open().received(results(Results.newBuilder().addAllStarted(many)))))
        .containsExactly("close results: more than 500");
  }

  private static AgentMessage results(Results.Builder results) {
    return AgentMessage.newBuilder().setResults(results).build();
  }

  @Test
  void an_abort_is_sent_once() {
    var connection = greeted(held(A, Held.Phase.RUNNING));
    var aborted = entry(A, MINE, State.RUNNING, "cancelled");
    assertThat(told(connection.mailbox(List.of(aborted))))
        .containsExactly("WELCOME", "ABORT A cancelled");
    assertThat(connection.mailbox(List.of(aborted))).isEmpty();
  }

  @Test
  void an_abort_of_something_unsent_is_assigned_and_aborted() {
    assertThat(told(greeted().mailbox(List.of(entry(A, MINE, State.DISPATCHED, "cancelled")))))
        .containsExactly("WELCOME", "ASSIGN A", "ABORT A cancelled");
  }

  @Test
  void what_is_rebound_is_assigned_in_the_order_of_the_mailbox() {
    var connection = greeted();
    connection.mailbox(List.of(entry(B, OLDER), entry(A, OLDER)));
    assertThat(told(connection.rebound(List.of(A, B)))).containsExactly("ASSIGN B A");
  }

  @Test
  void what_an_older_session_never_started_is_rebound_and_exactly_that_is_assigned() {
    var connection = greeted(held(A, Held.Phase.PREPARING));
    var entries =
        List.of(entry(A, OLDER), entry(B, OLDER), entry(C, OLDER, State.DISPATCHED, "cancelled"));
    assertThat(told(connection.mailbox(entries)))
        .containsExactly("WELCOME", "rebind A from older, B from older, C from older");
    assertThat(connection.mailbox(entries)).as("while the rebind is under way").isEmpty();
    assertThat(told(connection.rebound(List.of(A, C))))
        .containsExactly("ASSIGN A C", "ABORT C cancelled");
    assertThat(told(connection.mailbox(List.of(entry(A, OLDER), entry(B, OLDER), entry(C, OLDER)))))
        .as("a mailbox read before the rebind committed")
        .containsExactly("rebind B from older");
  }

  @Test
  void an_incomplete_journal_proves_nothing() {
    var connection = connection();
    connection.received(message(helloOf().setJournalComplete(false)));
    connection.registered(new Registration.Accepted());
    assertThat(told(connection.mailbox(List.of(entry(A, OLDER)))))
        .containsExactly("WELCOME", "lost A worker_restarted for 65600 in older");
  }

  @Test
  void an_outcome_of_an_older_session_is_applied_under_that_session() {
    var connection = greeted(held(A, Held.Phase.ENDED));
    assertThat(told(connection.mailbox(List.of(running(A, OLDER))))).containsExactly("WELCOME");
    assertThat(told(connection.received(finished(A)))).containsExactly("finished A in older");
  }

  @Test
  void a_died_dispatch_is_lost_and_the_agent_may_forget_it_after_that() {
    var connection = greeted(held(A, Held.Phase.DIED));
    var commands = connection.mailbox(List.of(running(A, OLDER)));
    assertThat(told(commands)).containsExactly("WELCOME", "lost A worker_restarted in older");
    assertThat(told(connection.settled(answers(commands, Answer.APPLIED))))
        .containsExactly("SETTLED A VOID");
    assertThat(connection.mailbox(List.of())).isEmpty();
  }

  @Test
  void a_loss_that_missed_because_the_binding_moved_is_declared_again() {
    var connection = greeted(held(A, Held.Phase.DIED));
    var commands = connection.mailbox(List.of(running(A, OLDEST)));
    assertThat(connection.settled(answers(commands, Answer.VOID))).isEmpty();
    assertThat(told(connection.mailbox(List.of(running(A, OLDER)))))
        .containsExactly("lost A worker_restarted in older");
  }

  @Test
  void what_the_database_does_not_wait_for_is_void() {
    var connection =
        greeted(
            held(A, Held.Phase.PREPARING), held(B, Held.Phase.RUNNING), held(C, Held.Phase.DIED));
    assertThat(told(connection.mailbox(List.of())))
        .containsExactly("WELCOME", "ABORT A void", "ABORT B void", "SETTLED C VOID");
    assertThat(connection.mailbox(List.of())).isEmpty();
  }

  @Test
  void what_vanishes_from_a_later_mailbox_is_void_unless_its_outcome_is_here() {
    var connection = open(entry(A, MINE), entry(B, MINE));
    connection.received(finished(B));
    assertThat(told(connection.mailbox(List.of()))).containsExactly("ABORT A void");
  }

  @Test
  void a_dispatch_is_assigned_once_on_a_connection() {
    var connection = open(entry(A, MINE));
    assertThat(told(connection.mailbox(List.of(entry(A, MINE), entry(B, MINE)))))
        .containsExactly("ASSIGN B");
    connection.received(acked(A));
    assertThat(connection.mailbox(List.of(entry(A, MINE), entry(B, MINE)))).isEmpty();
  }

  @Test
  void a_mailbox_older_than_the_outcome_or_its_settlement_sends_nothing_again() {
    var connection = open(entry(A, MINE));
    var applied = connection.received(finished(A));
    assertThat(connection.mailbox(List.of(entry(A, MINE)))).isEmpty();
    connection.wake();
    assertThat(told(connection.settled(answers(applied, Answer.APPLIED))))
        .containsExactly("SETTLED A APPLIED");
    assertThat(connection.mailbox(List.of(entry(A, MINE)))).isEmpty();
  }

  @Test
  void what_was_just_claimed_is_assigned_without_a_read() {
    var connection = open(entry(A, MINE));
    assertThat(told(connection.claimed(List.of(entry(A, MINE), entry(B, MINE)))))
        .containsExactly("ASSIGN B");
    assertThat(connection.mailbox(List.of(entry(A, MINE), entry(B, MINE)))).isEmpty();
  }

  @Test
  void claim_during_a_read_waits_for_the_next_read_and_is_not_taken_back_by_an_old_one() {
    var connection = open();
    connection.wake();
    assertThat(connection.claimed(List.of(entry(A, MINE)))).isEmpty();
    assertThat(told(connection.mailbox(List.of()))).containsExactly("read");
    assertThat(told(connection.mailbox(List.of(entry(A, MINE))))).containsExactly("ASSIGN A");
  }

  @Test
  void claim_for_another_session_is_not_assigned() {
    var connection = open();
    assertThat(connection.claimed(List.of(entry(A, OLDER)))).isEmpty();
  }

  /** A leader froze between the commit of a claim and its delivery. */
  @Test
  void late_claim_for_an_earlier_session_does_not_make_the_outcome_void() {
    var connection = greeted(held(A, Held.Phase.ENDED));
    connection.mailbox(List.of(running(A, MINE)));
    assertThat(connection.claimed(List.of(entry(A, OLDER)))).isEmpty();
    assertThat(told(connection.received(finished(A))))
        .singleElement()
        .asString()
        .endsWith("in mine");
  }

  @Test
  void a_refusal_is_applied_and_answered() {
    var connection = open(entry(A, MINE));
    var applied = connection.received(refused(A));
    assertThat(told(applied)).containsExactly("refused A full in mine");
    assertThat(connection.mailbox(List.of(entry(A, MINE)))).isEmpty();
    assertThat(told(connection.settled(answers(applied, Answer.VOID))))
        .containsExactly("SETTLED A VOID");
  }

  @Test
  void hints_during_a_read_lead_to_one_more_read() {
    var connection = open();
    assertThat(told(connection.wake())).containsExactly("read");
    assertThat(connection.wake()).isEmpty();
    assertThat(connection.wake()).isEmpty();
    assertThat(told(connection.mailbox(List.of()))).containsExactly("read");
    assertThat(connection.mailbox(List.of())).isEmpty();
  }

  @Test
  void a_superseded_connection_closes_and_decides_nothing() {
    var connection = greeted();
    assertThat(told(connection.superseded()))
        .containsExactly("close superseded by a newer connection");
    assertThat(connection.mailbox(List.of(running(A, MINE)))).isEmpty();
  }

  @Test
  void a_report_is_a_heartbeat_and_is_seen() {
    assertThat(told(open().received(heartbeat(1))))
        .containsExactly("touch 1 preparing [] free 4", "SEEN 1");
  }

  @Test
  void a_report_number_that_does_not_rise_closes() {
    var connection = open();
    connection.received(heartbeat(2));
    assertThat(told(connection.received(heartbeat(2))))
        .containsExactly("close heartbeat 2 after heartbeat 2");
  }

  @Test
  void draining_is_handed_on() {
    var draining = AgentMessage.newBuilder().setDraining(Draining.getDefaultInstance()).build();
    assertThat(told(open().received(draining))).containsExactly("drain");
  }

  @Test
  void the_end_of_a_registered_stream_is_marked_with_its_connection() {
    assertThat(told(open().closed(true))).containsExactly("disconnected 7 gone");
    assertThat(told(open().closed(false))).containsExactly("disconnected 7");
    assertThat(connection().closed(true)).isEmpty();
  }

  @Test
  void a_stream_that_ends_while_it_is_registered_is_marked_when_the_answer_comes() {
    var connection = connection();
    connection.received(hello());
    assertThat(connection.closed(true)).isEmpty();
    assertThat(told(connection.registered(new Registration.Accepted())))
        .containsExactly("disconnected 7 gone");
  }

  @Test
  void a_shutdown_closes_and_nothing_follows() {
    var connection = open(entry(A, MINE));
    assertThat(told(connection.shutdown())).containsExactly("close the server is shutting down");
    assertThat(connection.received(finished(A))).isEmpty();
    assertThat(connection.wake()).isEmpty();
    assertThat(connection.mailbox(List.of(entry(B, MINE)))).isEmpty();
    assertThat(told(connection.closed(true))).containsExactly("disconnected 7");
  }

  @Test
  void outcomes_that_pile_up_unanswered_close() {
    var connection = open(entry(A, MINE));
    for (int i = 0; i < LIMITS.awaitingMax(); i++) {
      assertThat(told(connection.received(finished(A)))).containsExactly("finished A in mine");
    }
    assertThat(told(connection.received(finished(A))))
        .containsExactly("close more than 3 messages await their answer");
  }

  @Test
  void more_dispatches_than_the_limit_close_but_are_never_assigned() {
    var connection = open(entry(A, MINE), entry(B, MINE), entry(C, MINE));
    var another = new DispatchId(new UUID(2, 4));
    assertThat(connection.mailbox(Stream.of(A, B, C, another).map(id -> entry(id, MINE)).toList()))
        .isEmpty();
    assertThat(told(connection.received(started(another))))
        .containsExactly("close more than 3 dispatches on one connection");
  }

  @Test
  void many_dispatches_are_assigned_in_several_messages() {
    assertThat(told(greeted().mailbox(List.of(entry(A, MINE), entry(B, MINE), entry(C, MINE)))))
        .containsExactly("WELCOME", "ASSIGN A B", "ASSIGN C");
  }
}
