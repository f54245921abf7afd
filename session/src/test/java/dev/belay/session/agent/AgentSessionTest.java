package dev.belay.session.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Assign;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Reject;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Settled;
import dev.belay.protocol.agent.v1.Settlement;
import dev.belay.protocol.agent.v1.Welcome;
import dev.belay.session.wire.Offer;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AgentSessionTest {
  static final DispatchId A = new DispatchId(new UUID(2, 1));
  static final DispatchId B = new DispatchId(new UUID(2, 2));
  static final DispatchId C = new DispatchId(new UUID(2, 3));
  private static final long SECOND = 1_000_000_000L;

  @Test
  void a_dispatch_is_recorded_before_each_step_is_done_or_said() {
    var agent = welcomed(Recovered.nothing());
    assertThat(told(agent.received(assign(A))))
        .containsExactly("persist Prepared", "send ACKED", "prepare");
    assertThat(told(agent.prepared(A, 7, 10)))
        .containsExactly("persist Started", "open", "send STARTED");
    assertThat(told(agent.ended(exit(A)))).containsExactly("persist Ended", "send FINISHED");
    assertThat(agent.isIdle()).isFalse();
    assertThat(told(agent.received(settled(A)))).containsExactly("persist Settled", "forget");
    assertThat(agent.isIdle()).isTrue();
  }

  @Test
  void all_dispatches_of_an_assign_are_recorded_before_one_is_acknowledged() {
    var agent = welcomed(Recovered.nothing());
    assertThat(told(agent.received(assign(A, B))))
        .containsExactly(
            "persist Prepared", "persist Prepared", "send ACKED", "prepare", "prepare");
  }

  @Test
  void an_outcome_carries_the_recorded_start() {
    var agent = running(A);
    var finished = ((AgentCommand.Persist) agent.ended(exit(A)).getFirst()).entry();
    assertThat(((JournalEntry.Ended) finished).finished().getStartedAtMs()).isEqualTo(10);
  }

  @Test
  void a_failed_preparation_ends_as_start_failed() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A));
    var outcome = outcome(agent.prepareFailed(A, "no such file", 11));
    assertThat(outcome.getStartFailed().getMessage()).isEqualTo("no such file");
    assertThat(outcome.getStartedAtMs()).isZero();
  }

  @Test
  void a_worker_without_room_refuses_what_it_took_until_the_refusal_is_settled() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A));
    var commands = agent.prepareRefused(A, "no resources: files", 11);
    assertThat(told(commands)).containsExactly("send REFUSED");
    var refused = ((AgentCommand.Send) commands.getFirst()).message().getRefused();
    assertThat(refused.getReason()).isEqualTo("no resources: files");
    assertThat(told(agent.received(assign(A)))).containsExactly("send REFUSED");
    assertThat(agent.isIdle()).isFalse();
    agent.disconnected();
    agent.connected();
    assertThat(told(agent.received(welcome()))).containsExactly("send REFUSED");
    assertThat(told(agent.received(settled(A)))).containsExactly("persist Settled", "forget");
    assertThat(agent.isIdle()).isTrue();
  }

  @Test
  void a_worker_without_room_ends_what_is_to_stop() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A, B));
    agent.received(abort(A, "cancelled"));
    agent.received(abort(B, "void"));
    var outcome = outcome(agent.prepareRefused(A, "no resources: files", 11));
    assertThat(outcome.getAborted().getReason()).isEqualTo("cancelled");
    assertThat(told(agent.prepareRefused(B, "no resources: files", 11)))
        .containsExactly("persist Settled", "forget");
  }

  @Test
  void a_gated_process_that_dies_by_itself_never_started() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A));
    var outcome = outcome(agent.ended(exit(A)));
    assertThat(outcome.hasStartFailed()).isTrue();
    assertThat(outcome.getStartedAtMs()).isZero();
  }

  @Test
  void an_abort_before_the_gate_opens_never_opens_it() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A));
    assertThat(told(agent.received(abort(A, "cancelled")))).containsExactly("stop cancelled");
    assertThat(agent.prepared(A, 7, 10)).isEmpty();
    var outcome = outcome(agent.ended(exit(A)));
    assertThat(outcome.getAborted().getReason()).isEqualTo("cancelled");
    assertThat(outcome.getStartedAtMs()).isZero();
  }

  @Test
  void an_abort_stops_a_running_dispatch_once() {
    var agent = running(A);
    assertThat(told(agent.received(abort(A, "cancelled")))).containsExactly("stop cancelled");
    assertThat(agent.received(abort(A, "cancelled"))).isEmpty();
    assertThat(told(agent.ended(exit(A)))).containsExactly("persist Ended", "send FINISHED");
  }

  @Test
  void a_void_dispatch_is_stopped_and_forgotten_in_silence() {
    var agent = running(A);
    assertThat(told(agent.received(abort(A, "void")))).containsExactly("stop void");
    assertThat(told(agent.ended(exit(A)))).containsExactly("persist Settled", "forget");
  }

  @Test
  void void_outdoes_an_earlier_abort_and_is_not_taken_back() {
    var agent = running(A);
    agent.received(abort(A, "cancelled"));
    assertThat(agent.received(abort(A, "void"))).isEmpty();
    agent.received(abort(A, "cancelled"));
    assertThat(told(agent.ended(exit(A)))).containsExactly("persist Settled", "forget");
  }

  @Test
  void an_abort_of_something_not_held_is_answered_with_nothing() {
    assertThat(welcomed(Recovered.nothing()).received(abort(A, "cancelled"))).isEmpty();
  }

  @Test
  void a_repeated_assign_never_starts_a_dispatch_again() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A));
    assertThat(told(agent.received(assign(A)))).containsExactly("send ACKED");
    agent.prepared(A, 7, 10);
    assertThat(told(agent.received(assign(A)))).containsExactly("send ACKED");
    agent.ended(exit(A));
    assertThat(told(agent.received(assign(A)))).containsExactly("send FINISHED");
    agent.received(settled(A));
    assertThat(told(agent.received(assign(A)))).containsExactly("send ACKED");
  }

  @Test
  void a_dispatch_twice_in_one_assign_is_prepared_once() {
    assertThat(told(welcomed(Recovered.nothing()).received(assign(A, A))))
        .containsExactly("persist Prepared", "send ACKED", "prepare");
  }

  @Test
  void what_died_or_was_settled_in_an_earlier_session_is_never_started_again() {
    var agent = welcomed(replay(prepared(A), started(A), prepared(B), new JournalEntry.Settled(B)));
    assertThat(told(agent.received(assign(A)))).containsExactly("send ACKED");
    assertThat(told(agent.received(assign(B)))).containsExactly("send ACKED");
  }

  @Test
  void what_an_earlier_session_only_prepared_starts_when_it_is_assigned_again() {
    var agent = welcomed(replay(prepared(A)));
    assertThat(agent.isIdle()).isTrue();
    assertThat(told(agent.received(assign(A))))
        .containsExactly("persist Prepared", "send ACKED", "prepare");
  }

  @Test
  void a_full_worker_refuses_until_the_refusal_is_settled() {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(A, B));
    assertThat(told(agent.received(assign(C)))).containsExactly("send REFUSED");
    agent.prepareFailed(A, "", 1);
    assertThat(told(agent.received(assign(C)))).containsExactly("send REFUSED");
    assertThat(told(agent.received(settled(C)))).containsExactly("persist Settled", "forget");
    assertThat(told(agent.received(assign(C)))).containsExactly("send ACKED");
  }

  @Test
  void a_draining_worker_says_so_on_each_connection_and_refuses() {
    var agent = welcomed(Recovered.nothing());
    assertThat(told(agent.drain())).containsExactly("send DRAINING");
    assertThat(told(agent.received(assign(A)))).containsExactly("send REFUSED");
    agent.disconnected();
    agent.connected();
    assertThat(told(agent.received(welcome()))).containsExactly("send DRAINING", "send REFUSED");
  }

  @Test
  void a_settlement_of_something_that_runs_forgets_nothing() {
    var agent = running(A);
    assertThat(agent.received(settled(A))).isEmpty();
    assertThat(told(agent.ended(exit(A)))).containsExactly("persist Ended", "send FINISHED");
  }

  @Test
  void the_hello_names_what_is_held_with_its_phase() {
    var finished = exit(C).toBuilder().setStartedAtMs(3).build();
    var agent =
        new AgentSession(
            profile(),
            Recovered.replay(
                List.of(prepared(A), prepared(B), started(B), new JournalEntry.Ended(finished)),
                false),
            AgentSettings.DEFAULT,
            new Random(1));
    agent.start();
    var hello = ((AgentCommand.Send) agent.connected().getFirst()).message().getHello();
    assertThat(hello.getConnection()).isEqualTo(1);
    assertThat(hello.getJournalComplete()).isFalse();
    assertThat(hello.getHeldList())
        .containsExactly(
            held(A, Held.Phase.PREPARING), held(B, Held.Phase.DIED), held(C, Held.Phase.ENDED));
  }

  @Test
  void a_machine_that_was_started_anew_is_told_in_each_hello() {
    var agent = agent(new Recovered(Map.of(), List.of(), false, true));
    agent.start();
    for (int connection = 1; connection <= 2; connection++) {
      var hello = ((AgentCommand.Send) agent.connected().getFirst()).message().getHello();
      assertThat(hello.getRebooted()).isTrue();
      agent.disconnected();
    }
  }

  @Test
  void nothing_is_sent_before_the_welcome_and_everything_unsettled_after_it() {
    var agent = running(A);
    agent.received(assign(B));
    agent.disconnected();
    assertThat(told(agent.prepared(B, 8, 12))).containsExactly("persist Started", "open");
    agent.connected();
    assertThat(told(agent.ended(exit(A)))).containsExactly("persist Ended");
    assertThat(told(agent.received(welcome()))).containsExactly("send FINISHED", "send STARTED");
    agent.disconnected();
    agent.connected();
    assertThat(told(agent.received(welcome()))).containsExactly("send FINISHED", "send STARTED");
  }

  @Test
  void a_rejected_worker_backs_off_or_gives_up_for_good() {
    var agent = agent(Recovered.nothing());
    agent.start();
    agent.connected();
    assertThat(told(agent.received(reject(false)))).containsExactly("disconnect rejected: no");
    assertThat(told(agent.disconnected())).containsExactly("connect");
    agent.connected();
    assertThat(told(agent.received(reject(true)))).containsExactly("give up no");
    assertThat(agent.disconnected()).isEmpty();
  }

  @Test
  void reports_are_numbered_over_connections_and_sent_at_the_servers_interval() {
    var agent = running(A);
    assertThat(heartbeatNumber(agent.tick(0, 1.5))).isEqualTo(1);
    assertThat(agent.tick(SECOND - 1, 0)).isEmpty();
    assertThat(heartbeatNumber(agent.tick(SECOND, 0))).isEqualTo(2);
    agent.disconnected();
    assertThat(agent.tick(5 * SECOND, 0)).isEmpty();
    agent.connected();
    assertThat(agent.tick(6 * SECOND, 0)).isEmpty();
    agent.received(welcome());
    var heartbeat =
        ((AgentCommand.Send) agent.tick(6 * SECOND, 0).getFirst()).message().getHeartbeat();
    assertThat(heartbeat.getNumber()).isEqualTo(3);
    assertThat(heartbeat.getActiveList()).containsExactly(A.toString());
    assertThat(heartbeat.getFreeSlots()).isEqualTo(1);
  }

  @Test
  void a_malformed_message_ends_the_connection_and_changes_nothing() {
    var agent = welcomed(Recovered.nothing());
    var bad = Assign.newBuilder().addDispatches(dispatch(A)).addDispatches(Dispatch.newBuilder());
    assertThat(told(agent.received(ServerMessage.newBuilder().setAssign(bad).build())))
        .containsExactly("disconnect the server sent a malformed id");
    assertThat(agent.isIdle()).isTrue();
  }

  @Test
  void an_instruction_before_the_welcome_ends_the_connection() {
    var agent = agent(Recovered.nothing());
    agent.start();
    agent.connected();
    assertThat(told(agent.received(assign(A))))
        .containsExactly("disconnect the server did not welcome");
  }

  @Test
  void a_server_that_assigns_faster_than_it_settles_is_left() {
    var settings =
        new AgentSettings(
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            2,
            2);
    var agent = new AgentSession(profile(), Recovered.nothing(), settings, new Random(1));
    agent.start();
    agent.connected();
    agent.received(welcome());
    agent.received(assign(A, B));
    assertThat(told(agent.received(assign(C))))
        .containsExactly("disconnect too many dispatches are not settled");
  }

  @Test
  void an_adapter_that_ends_what_does_not_run_has_a_bug() {
    var agent = welcomed(Recovered.nothing());
    assertThatThrownBy(() -> agent.ended(exit(A))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> agent.prepared(A, 1, 1)).isInstanceOf(IllegalStateException.class);
  }

  private static AgentSession agent(Recovered recovered) {
    return new AgentSession(profile(), recovered, AgentSettings.DEFAULT, new Random(1));
  }

  static AgentSession welcomed(Recovered recovered) {
    var agent = agent(recovered);
    agent.start();
    agent.connected();
    agent.received(welcome());
    return agent;
  }

  static AgentSession running(DispatchId id) {
    var agent = welcomed(Recovered.nothing());
    agent.received(assign(id));
    agent.prepared(id, 7, 10);
    return agent;
  }

  static AgentProfile profile() {
    return new AgentProfile(
        new AgentProfile.Identity(
            new WorkerId(new UUID(3, 1)),
            WorkerKey.random(new Random(1)),
            new SessionId(new UUID(4, 1)),
            1),
        "worker",
        new Offer(List.of("default"), 2, Map.of("zone", "a")),
        "1",
        "linux",
        Instant.EPOCH);
  }

  private static Recovered replay(JournalEntry... entries) {
    return Recovered.replay(List.of(entries), true);
  }

  static JournalEntry prepared(DispatchId id) {
    return new JournalEntry.Prepared(id, task(id));
  }

  static JournalEntry started(DispatchId id) {
    return new JournalEntry.Started(id, task(id), 10, 7);
  }

  static ServerMessage welcome() {
    var welcome = Welcome.newBuilder().setHeartbeatIntervalMs(1_000);
    return ServerMessage.newBuilder().setWelcome(welcome).build();
  }

  private static ServerMessage reject(boolean permanent) {
    var reject = Reject.newBuilder().setReason("no").setPermanent(permanent);
    return ServerMessage.newBuilder().setReject(reject).build();
  }

  private static Dispatch dispatch(DispatchId id) {
    return Dispatch.newBuilder()
        .setDispatchId(id.toString())
        .setTaskId(task(id).toString())
        .build();
  }

  static TaskId task(DispatchId id) {
    return new TaskId(new UUID(1, id.value().getLeastSignificantBits()));
  }

  static ServerMessage assign(DispatchId... ids) {
    var assign = Assign.newBuilder();
    for (var id : ids) {
      assign.addDispatches(dispatch(id));
    }
    return ServerMessage.newBuilder().setAssign(assign).build();
  }

  static ServerMessage abort(DispatchId id, String reason) {
    var abort = Abort.newBuilder().setDispatchId(id.toString()).setReason(reason).setGraceMs(5);
    return ServerMessage.newBuilder().setAbort(abort).build();
  }

  static ServerMessage settled(DispatchId id) {
    var settlement = Settlement.newBuilder().setDispatchId(id.toString());
    return ServerMessage.newBuilder()
        .setSettled(Settled.newBuilder().addSettlements(settlement))
        .build();
  }

  static Finished exit(DispatchId id) {
    return Finished.newBuilder()
        .setDispatchId(id.toString())
        .setTaskId(task(id).toString())
        .setEndedAtMs(20)
        .setExit(Exit.getDefaultInstance())
        .build();
  }

  private static Held held(DispatchId id, Held.Phase phase) {
    return Held.newBuilder()
        .setDispatchId(id.toString())
        .setTaskId(task(id).toString())
        .setPhase(phase)
        .build();
  }

  static Finished outcome(List<AgentCommand> commands) {
    assertThat(told(commands)).containsExactly("persist Ended", "send FINISHED");
    return ((AgentCommand.Send) commands.getLast()).message().getFinished();
  }

  private static long heartbeatNumber(List<AgentCommand> commands) {
    assertThat(told(commands)).containsExactly("send HEARTBEAT");
    return ((AgentCommand.Send) commands.getFirst()).message().getHeartbeat().getNumber();
  }

  static List<String> told(List<AgentCommand> commands) {
    return commands.stream().map(AgentSessionTest::told).toList();
  }

  static String told(AgentCommand command) {
    return switch (command) {
      case AgentCommand.Send(AgentMessage message) -> "send " + message.getKindCase();
      case AgentCommand.Persist(var entry) -> "persist " + entry.getClass().getSimpleName();
      case AgentCommand.Prepare _ -> "prepare";
      case AgentCommand.Lease _ -> "lease";
      case AgentCommand.Open _ -> "open";
      case AgentCommand.Stop stop -> "stop " + stop.reason();
      case AgentCommand.Forget _ -> "forget";
      case AgentCommand.ConnectAfter _ -> "connect";
      case AgentCommand.Disconnect(var reason) -> "disconnect " + reason;
      case AgentCommand.Renumber(var number) -> "renumber " + number;
      case AgentCommand.GiveUp(var reason) -> "give up " + reason;
    };
  }
}
