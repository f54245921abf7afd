package dev.belay.session.agent;

import static dev.belay.session.agent.AgentSessionTest.A;
import static dev.belay.session.agent.AgentSessionTest.B;
import static dev.belay.session.agent.AgentSessionTest.C;
import static dev.belay.session.agent.AgentSessionTest.abort;
import static dev.belay.session.agent.AgentSessionTest.assign;
import static dev.belay.session.agent.AgentSessionTest.exit;
import static dev.belay.session.agent.AgentSessionTest.outcome;
import static dev.belay.session.agent.AgentSessionTest.prepared;
import static dev.belay.session.agent.AgentSessionTest.profile;
import static dev.belay.session.agent.AgentSessionTest.running;
import static dev.belay.session.agent.AgentSessionTest.settled;
import static dev.belay.session.agent.AgentSessionTest.started;
import static dev.belay.session.agent.AgentSessionTest.told;
import static dev.belay.session.agent.AgentSessionTest.welcomed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.protocol.agent.v1.Reject;
import dev.belay.protocol.agent.v1.ServerMessage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A worker that cannot record, or that another process replaced. */
class TroubledAgentTest {

  @Test
  void in_trouble_it_says_so_at_once_and_refuses_what_is_new() {
    var agent = running(A);
    agent.tick(1, 0);
    agent.trouble("disk full: 0 B free");
    var heartbeat = ((AgentCommand.Send) agent.tick(2, 0).getLast()).message().getHeartbeat();
    assertThat(heartbeat.getTrouble()).isEqualTo("disk full: 0 B free");
    assertThat(heartbeat.getFreeSlots()).isZero();
    assertThat(heartbeat.getActiveCount()).isEqualTo(1);
    var refused = ((AgentCommand.Send) agent.received(assign(B)).getFirst()).message();
    assertThat(refused.getRefused().getReason()).isEqualTo("disk full: 0 B free");

    agent.trouble("");
    assertThat(
            ((AgentCommand.Send) agent.tick(3, 0).getLast()).message().getHeartbeat().getTrouble())
        .isEmpty();
    assertThat(told(agent.received(assign(C)))).contains("prepare");
  }

  @Test
  void what_could_not_be_recorded_is_refused_and_does_not_begin() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A, B));
    var taken = agent.notRecorded(prepared(A), "disk full", 5);
    assertThat(((AgentCommand.Send) taken.getFirst()).message().getRefused().getReason())
        .isEqualTo("disk full");

    agent.prepared(B, 7, 10);
    var started = agent.notRecorded(started(B), "disk full", 11);
    assertThat(((AgentCommand.Send) started.getFirst()).message().getRefused().getDispatchId())
        .isEqualTo(B.toString());
    assertThat(agent.isIdle()).as("until the refusals are settled").isFalse();
    agent.received(settled(A));
    agent.received(settled(B));
    assertThat(agent.isIdle()).isTrue();
  }

  @Test
  void what_is_stopped_before_its_start_could_be_recorded_ends_as_aborted_and_never_started() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A));
    agent.prepared(A, 7, 10);
    agent.received(abort(A, "cancelled"));
    assertThat(agent.notRecorded(started(A), "disk full", 11)).isEmpty();

    var finished = outcome(agent.ended(exit(A)));
    assertThat(finished.getAborted().getReason()).isEqualTo("cancelled");
    assertThat(finished.getStartedAtMs()).as("its latch was never opened").isZero();
    agent.received(settled(A));
    assertThat(agent.isIdle()).isTrue();
  }

  @Test
  void agent_that_lost_count_goes_on_above_the_last_number() {
    var agent =
        new AgentSession(profile(), Recovered.nothing(), AgentSettings.DEFAULT, new Random(1));
    agent.start();
    agent.connected();
    assertThat(told(agent.received(outnumbered(7))))
        .containsExactly("renumber 8", "disconnect rejected: older");
    agent.disconnected();
    var hello = ((AgentCommand.Send) agent.connected().getFirst()).message().getHello();
    assertThat(hello.getSessionNumber()).isEqualTo(8);
    assertThat(hello.getSessionId()).isEqualTo(profile().identity().session().toString());
  }

  /** Otherwise two agents in copies of one folder would replace each other endlessly. */
  @Test
  void agent_that_was_welcomed_gives_up_when_another_has_its_key() {
    var agent = welcomed(Recovered.nothing());
    agent.disconnected();
    agent.connected();
    assertThat(told(agent.received(outnumbered(7))))
        .singleElement()
        .asString()
        .startsWith("give up another process has joined as worker");
  }

  private static ServerMessage outnumbered(long last) {
    var reject = Reject.newBuilder().setReason("older").setLastSessionNumber(last);
    return ServerMessage.newBuilder().setReject(reject).build();
  }
}
