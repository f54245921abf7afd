package dev.belay.session.gateway;

import static dev.belay.session.gateway.Talk.A;
import static dev.belay.session.gateway.Talk.B;
import static dev.belay.session.gateway.Talk.MINE;
import static dev.belay.session.gateway.Talk.OLDER;
import static dev.belay.session.gateway.Talk.acked;
import static dev.belay.session.gateway.Talk.answers;
import static dev.belay.session.gateway.Talk.entry;
import static dev.belay.session.gateway.Talk.finished;
import static dev.belay.session.gateway.Talk.greeted;
import static dev.belay.session.gateway.Talk.heartbeat;
import static dev.belay.session.gateway.Talk.held;
import static dev.belay.session.gateway.Talk.open;
import static dev.belay.session.gateway.Talk.refused;
import static dev.belay.session.gateway.Talk.running;
import static dev.belay.session.gateway.Talk.started;
import static dev.belay.session.gateway.Talk.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.session.gateway.Settlement.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A dispatch is lost exactly when the worker had it and its heartbeats omit it. */
class ReportedSetTest {
  private static final String LOST = "lost A not_reported for 65600 in mine";

  private long number;

  @Test
  void a_dispatch_that_two_reports_lack_is_lost_once() {
    var connection = open(entry(A, MINE));
    connection.received(acked(A));
    connection.received(started(A));
    assertThat(lost(connection, A)).isEmpty();
    assertThat(lost(connection)).as("one may be a mistake").isEmpty();
    assertThat(lost(connection)).containsExactly(LOST);
    assertThat(lost(connection)).as("said once").isEmpty();
  }

  @Test
  void reports_that_lack_it_must_follow_each_other() {
    var connection = open(entry(A, MINE));
    connection.received(acked(A));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection, A)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).containsExactly(LOST);
  }

  @Test
  void what_the_worker_did_not_acknowledge_may_be_on_its_way() {
    var connection = open(entry(A, MINE));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    connection.received(acked(A));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).containsExactly(LOST);
  }

  @Test
  void an_end_or_a_refusal_that_awaits_its_settlement_is_no_loss() {
    var connection = open(entry(A, MINE), entry(B, MINE));
    connection.received(acked(A, B));
    connection.received(finished(A));
    connection.received(refused(B));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
  }

  @Test
  void what_the_hello_said_to_run_is_expected_and_what_it_said_to_be_over_is_not() {
    var connection = greeted(held(A, Held.Phase.RUNNING), held(B, Held.Phase.ENDED));
    connection.mailbox(List.of(running(A, MINE), running(B, MINE)));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).containsExactly(LOST);
  }

  @Test
  void what_an_older_session_only_recorded_is_expected_once_it_is_acknowledged() {
    var connection = greeted(held(A, Held.Phase.PREPARING));
    connection.mailbox(List.of(entry(A, OLDER)));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    connection.rebound(List.of(A));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
    connection.received(acked(A));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).containsExactly(LOST);
  }

  @Test
  void a_void_dispatch_that_vanishes_is_no_loss() {
    var connection = open(entry(A, MINE));
    connection.received(acked(A));
    assertThat(told(connection.mailbox(List.of()))).containsExactly("ABORT A void");
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).isEmpty();
  }

  @Test
  void a_loss_that_the_database_did_not_take_needs_two_more_reports() {
    var connection = open(entry(A, MINE));
    connection.received(acked(A));
    connection.received(heartbeat(++number));
    var commands = connection.received(heartbeat(++number));
    connection.settled(answers(commands, Answer.VOID));
    assertThat(lost(connection)).isEmpty();
    assertThat(lost(connection)).containsExactly(LOST);
  }

  @Test
  void a_loss_is_declared_behind_the_guard_of_the_report() {
    var connection = open(entry(A, MINE));
    connection.received(acked(A));
    connection.received(heartbeat(++number));
    assertThat(told(connection.received(heartbeat(++number))))
        .containsExactly("touch 2 preparing [] free 4", "SEEN 2", LOST);
  }

  /** Otherwise the database would take it for a dispatch that no worker prepares. */
  @Test
  void what_was_told_and_is_not_written_yet_counts_as_prepared() {
    var connection = open(entry(A, MINE), entry(B, MINE));
    connection.received(acked(A, B));
    var start = connection.received(started(A));
    var end = connection.received(finished(B));
    assertThat(told(connection.received(heartbeat(++number, A))).getFirst())
        .isEqualTo("touch 1 preparing [A, B] free 4");
    connection.settled(answers(start, Answer.APPLIED));
    connection.settled(answers(end, Answer.APPLIED));
    assertThat(told(connection.received(heartbeat(++number, A))).getFirst())
        .isEqualTo("touch 2 preparing [] free 4");
  }

  private List<String> lost(WorkerConnection connection, DispatchId... active) {
    return told(connection.received(heartbeat(++number, active))).stream()
        .filter(text -> text.startsWith("lost"))
        .toList();
  }
}
