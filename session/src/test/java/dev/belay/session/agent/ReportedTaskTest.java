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
import static dev.belay.session.agent.AgentSessionTest.started;
import static dev.belay.session.agent.AgentSessionTest.task;
import static dev.belay.session.agent.AgentSessionTest.welcome;
import static dev.belay.session.agent.AgentSessionTest.welcomed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.belay.domain.id.DispatchId;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Held;
import java.util.List;
import java.util.Random;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** Every report names the task of its dispatch. */
class ReportedTaskTest {

  @Test
  void a_start_and_an_end_name_the_task_to_the_server_and_in_the_journal() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A, B));
    var begun = agent.prepared(B, 7, 10);
    assertThat(begun).startsWith(new AgentCommand.Persist(started(B)));
    assertThat(sent(begun).getStarted().getTaskId()).isEqualTo(task(B).toString());
    var over = agent.ended(exit(B));
    assertThat(sent(over).getFinished().getTaskId()).isEqualTo(task(B).toString());
    var entry = (JournalEntry.Ended) ((AgentCommand.Persist) over.getFirst()).entry();
    assertThat(entry.task()).isEqualTo(task(B));
  }

  @Test
  void so_does_every_end_without_a_start() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A, B));
    assertNames(A, outcome(agent.prepareFailed(A, "no such file", 11)));
    assertNames(B, outcome(agent.ended(exit(B))));

    var stopped = welcomed(Recovered.nothing());
    stopped.received(assign(A, B));
    stopped.received(abort(A, "cancelled"));
    stopped.received(abort(B, "cancelled"));
    assertNames(A, outcome(stopped.prepareRefused(A, "no resources: files", 11)));
    assertNames(B, outcome(stopped.ended(exit(B))));
  }

  @Test
  void so_does_a_refusal_and_its_repetition() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A, B));
    assertRefuses(C, agent.received(assign(C)));
    assertRefuses(C, agent.received(assign(C)));
    assertRefuses(B, agent.prepareRefused(B, "no resources: files", 11));
    agent.prepared(A, 7, 10);
    assertRefuses(A, agent.notRecorded(started(A), "disk full", 11));

    agent.disconnected();
    agent.connected();
    assertThat(agent.received(welcome()))
        .extracting(command -> ((AgentCommand.Send) command).message().getRefused().getTaskId())
        .containsExactlyInAnyOrder(task(A).toString(), task(B).toString(), task(C).toString());
  }

  @Test
  void the_next_connection_hears_it_again() {
    var agent = running(A);
    agent.disconnected();
    assertThat(hello(agent)).containsExactly(tuple(A.toString(), task(A).toString()));
    assertThat(sent(agent.received(welcome())).getStarted().getTaskId())
        .isEqualTo(task(A).toString());
  }

  @Test
  void a_restarted_agent_names_the_tasks_of_earlier_sessions() {
    var journal = List.of(prepared(A), prepared(B), started(B), new JournalEntry.Ended(exit(C)));
    var agent =
        new AgentSession(
            profile(), Recovered.replay(journal, true), AgentSettings.DEFAULT, new Random(1));
    agent.start();
    assertThat(hello(agent))
        .containsExactly(
            tuple(A.toString(), task(A).toString()),
            tuple(B.toString(), task(B).toString()),
            tuple(C.toString(), task(C).toString()));
    assertNames(C, sent(agent.received(welcome())).getFinished());
  }

  @Test
  void an_adapter_that_ends_it_with_another_task_has_a_bug() {
    var agent = running(A);
    var other = exit(A).toBuilder().setTaskId(task(B).toString()).build();
    assertThatThrownBy(() -> agent.ended(other)).isInstanceOf(IllegalArgumentException.class);
    var none = exit(A).toBuilder().clearTaskId().build();
    assertThatThrownBy(() -> agent.ended(none)).isInstanceOf(IllegalArgumentException.class);
    assertNames(A, outcome(agent.ended(exit(A))));
  }

  private static List<Tuple> hello(AgentSession agent) {
    return sent(agent.connected()).getHello().getHeldList().stream()
        .map((Held held) -> tuple(held.getDispatchId(), held.getTaskId()))
        .toList();
  }

  private static AgentMessage sent(List<AgentCommand> commands) {
    return ((AgentCommand.Send) commands.getLast()).message();
  }

  private static void assertNames(DispatchId id, Finished finished) {
    assertThat(finished.getDispatchId()).isEqualTo(id.toString());
    assertThat(finished.getTaskId()).isEqualTo(task(id).toString());
  }

  private static void assertRefuses(DispatchId id, List<AgentCommand> commands) {
    var refused = sent(commands).getRefused();
    assertThat(refused.getDispatchId()).isEqualTo(id.toString());
    assertThat(refused.getTaskId()).isEqualTo(task(id).toString());
  }
}
