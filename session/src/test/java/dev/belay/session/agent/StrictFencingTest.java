package dev.belay.session.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.Aborted;
import dev.belay.protocol.agent.v1.Assign;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Granted;
import dev.belay.protocol.agent.v1.HeartbeatSeen;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Welcome;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A dispatch with a lease asks before it runs, and does not outlive its lease. */
class StrictFencingTest {
  private static final DispatchId A = new DispatchId(new UUID(2, 1));
  private static final TaskId TASK = new TaskId(new UUID(1, 1));
  private static final long SECOND = 1_000_000_000L;
  private static final long LEASE = 55 * SECOND;

  private final AgentSession agent =
      new AgentSession(
          new AgentProfile(
              new AgentProfile.Identity(
                  new WorkerId(new UUID(3, 1)),
                  WorkerKey.random(new Random(1)),
                  new SessionId(new UUID(4, 1)),
                  1),
              "worker",
              new Offer(List.of("default"), 2, Map.of()),
              "1",
              "linux",
              Instant.EPOCH),
          Recovered.nothing(),
          AgentSettings.DEFAULT,
          new Random(1));

  @Test
  void it_is_recorded_and_opened_only_when_its_start_was_granted() {
    connect();
    assertThat(reported(10 * SECOND, 1)).isEmpty();
    agent.received(assign());
    assertThat(told(agent.prepared(A, 7, 10))).containsExactly("send STARTED");
    var granted = agent.received(granted());
    assertThat(told(granted)).containsExactly("persist Started", "lease 65", "open");
    assertThat(granted)
        .startsWith(new AgentCommand.Persist(new JournalEntry.Started(A, TASK, 10, 7)));
    assertThat(agent.received(granted())).as("said twice").isEmpty();
    assertThat(outcome(agent.ended(exit())).getStartedAtMs()).isEqualTo(10);
    assertThat(agent.received(granted())).as("said after the end").isEmpty();
  }

  @Test
  void it_asks_only_under_a_lease_and_on_each_connection_until_it_is_granted() {
    connect();
    agent.received(assign());
    assertThat(agent.prepared(A, 7, 10)).as("no heartbeat was seen").isEmpty();
    assertThat(agent.received(granted())).as("not asked for").isEmpty();
    assertThat(reported(10 * SECOND, 1)).containsExactly("send STARTED");
    assertThat(reported(20 * SECOND, 2)).as("once on a connection").isEmpty();
    agent.disconnected();
    assertThat(connect()).isEmpty();
    assertThat(agent.received(granted())).as("not asked for on this connection").isEmpty();
    assertThat(reported(30 * SECOND, 3)).containsExactly("send STARTED");
    assertThat(told(agent.received(granted())))
        .containsExactly("persist Started", "lease 85", "open");
  }

  @Test
  void while_it_asks_it_is_told_as_preparing() {
    asking();
    var heartbeat =
        ((AgentCommand.Send) agent.tick(20 * SECOND, 0).getFirst()).message().getHeartbeat();
    assertThat(heartbeat.getActiveList()).containsExactly(A.toString());
    assertThat(heartbeat.getPreparingList()).containsExactly(A.toString());
    agent.disconnected();
    var hello = ((AgentCommand.Send) agent.connected().getFirst()).message().getHello();
    assertThat(hello.getHeldList())
        .extracting(Held::getPhase)
        .containsExactly(Held.Phase.PREPARING);
  }

  @Test
  void an_abort_while_it_asks_ends_it_unstarted_and_a_late_grant_does_nothing() {
    asking();
    assertThat(told(agent.received(abort("cancelled")))).containsExactly("stop cancelled");
    assertThat(agent.received(granted())).isEmpty();
    var outcome = outcome(agent.ended(exit()));
    assertThat(outcome.getAborted().getReason()).isEqualTo("cancelled");
    assertThat(outcome.getStartedAtMs()).isZero();
  }

  @Test
  void a_void_one_is_forgotten_in_silence() {
    asking();
    assertThat(told(agent.received(abort("void")))).containsExactly("stop void");
    assertThat(told(agent.ended(exit()))).containsExactly("persist Settled", "forget");
  }

  @Test
  void an_agent_that_stops_while_it_asks_says_so_and_not_that_the_start_failed() {
    asking();
    var stopped =
        exit().toBuilder()
            .setAborted(Aborted.newBuilder().setReason("graceful_shutdown"))
            .setStartedAtMs(3)
            .build();
    var outcome = outcome(agent.ended(stopped));
    assertThat(outcome.getAborted().getReason()).isEqualTo("graceful_shutdown");
    assertThat(outcome.getStartedAtMs()).isZero();
  }

  @Test
  void a_grant_that_comes_after_the_lease_is_worth_nothing_for_ever() {
    asking();
    agent.tick(10 * SECOND + LEASE, 0);
    assertThat(told(agent.received(granted()))).containsExactly("stop lease_expired");
    agent.received(seen(2));
    assertThat(agent.received(granted())).as("under a new lease").isEmpty();
    var outcome = outcome(agent.ended(exit()));
    assertThat(outcome.getAborted().getReason()).isEqualTo("lease_expired");
    assertThat(outcome.getStartedAtMs()).isZero();
  }

  @Test
  void a_lease_counts_from_when_the_report_was_sent() {
    running();
    agent.tick(20 * SECOND, 0);
    agent.tick(25 * SECOND, 0);
    assertThat(told(agent.received(seen(2)))).containsExactly("lease 75");
    assertThat(agent.received(seen(2))).as("seen twice").isEmpty();
    assertThat(agent.received(seen(9))).as("never sent").isEmpty();
    assertThat(told(agent.received(seen(3)))).containsExactly("lease 80");
  }

  @Test
  void an_answer_of_an_older_connection_extends_nothing() {
    running();
    agent.tick(20 * SECOND, 0);
    agent.disconnected();
    connect();
    assertThat(agent.received(seen(2))).isEmpty();
  }

  @Test
  void it_ends_with_its_lease_also_while_nobody_can_be_reached() {
    running();
    agent.disconnected();
    assertThat(agent.tick(10 * SECOND + LEASE - 1, 0)).isEmpty();
    assertThat(told(agent.tick(10 * SECOND + LEASE, 0))).containsExactly("stop lease_expired");
    assertThat(agent.tick(11 * SECOND + LEASE, 0)).as("once").isEmpty();
  }

  @Test
  void a_dispatch_without_a_lease_runs_on() {
    connect();
    agent.received(assign(0));
    assertThat(told(agent.prepared(A, 7, 10)))
        .containsExactly("persist Started", "open", "send STARTED");
    agent.disconnected();
    assertThat(agent.tick(1_000 * SECOND, 0)).isEmpty();
  }

  private void asking() {
    connect();
    reported(10 * SECOND, 1);
    agent.received(assign());
    agent.prepared(A, 7, 10);
  }

  private void running() {
    asking();
    agent.received(granted());
  }

  private boolean begun;

  private List<String> connect() {
    if (!begun) {
      agent.start();
      begun = true;
    }
    agent.connected();
    var welcome = Welcome.newBuilder().setHeartbeatIntervalMs(1_000);
    return told(agent.received(ServerMessage.newBuilder().setWelcome(welcome).build()));
  }

  /** The server sees a heartbeat sent at that time. */
  private List<String> reported(long nowNanos, long number) {
    assertThat(told(agent.tick(nowNanos, 0))).containsExactly("send HEARTBEAT");
    return told(agent.received(seen(number)));
  }

  private static ServerMessage seen(long number) {
    return ServerMessage.newBuilder()
        .setHeartbeatSeen(HeartbeatSeen.newBuilder().setNumber(number))
        .build();
  }

  private static ServerMessage assign() {
    return assign(LEASE / 1_000_000);
  }

  private static ServerMessage assign(long leaseMs) {
    var dispatch =
        Dispatch.newBuilder()
            .setDispatchId(A.toString())
            .setTaskId(TASK.toString())
            .setLeaseMs(leaseMs);
    return ServerMessage.newBuilder()
        .setAssign(Assign.newBuilder().addDispatches(dispatch))
        .build();
  }

  private static ServerMessage granted() {
    return ServerMessage.newBuilder()
        .setGranted(Granted.newBuilder().addDispatchIds(A.toString()))
        .build();
  }

  private static ServerMessage abort(String reason) {
    var abort = Abort.newBuilder().setDispatchId(A.toString()).setReason(reason);
    return ServerMessage.newBuilder().setAbort(abort).build();
  }

  private static Finished exit() {
    return Finished.newBuilder()
        .setDispatchId(A.toString())
        .setTaskId(TASK.toString())
        .setEndedAtMs(20)
        .setExit(Exit.getDefaultInstance())
        .build();
  }

  private static Finished outcome(List<AgentCommand> commands) {
    assertThat(told(commands)).containsExactly("persist Ended", "send FINISHED");
    return ((AgentCommand.Send) commands.getLast()).message().getFinished();
  }

  private static List<String> told(List<AgentCommand> commands) {
    return commands.stream()
        .map(
            command ->
                command instanceof AgentCommand.Lease(var until)
                    ? "lease " + until.getOrDefault(A, 0L) / SECOND
                    : AgentSessionTest.told(command))
        .toList();
  }
}
