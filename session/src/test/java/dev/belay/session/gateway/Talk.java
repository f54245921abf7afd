package dev.belay.session.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.protocol.agent.v1.Acked;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Held;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.Refused;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Started;
import dev.belay.session.gateway.GatewaySettings.Limits;
import dev.belay.session.gateway.MailboxEntry.State;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.wire.WorkerKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the messages to a connection, and renders its answers as text. */
public final class Talk {
  static final WorkerId WORKER = new WorkerId(new UUID(3, 1));
  static final SessionId MINE = new SessionId(new UUID(4, 2));
  static final SessionId OLDER = new SessionId(new UUID(4, 1));
  static final SessionId OLDEST = new SessionId(new UUID(4, 0));
  static final DispatchId A = new DispatchId(new UUID(2, 1));
  static final DispatchId B = new DispatchId(new UUID(2, 2));
  static final DispatchId C = new DispatchId(new UUID(2, 3));

  /** The task of none of them. */
  static final TaskId OTHER = new TaskId(new UUID(1, 99));

  static final Limits LIMITS = new Limits(3, 3, 2, 10, 5, 2, 1_000_000, 10, 2);

  private Talk() {}

  static WorkerConnection connection() {
    return new WorkerConnection(
        new GatewaySettings("r1", Duration.ofSeconds(1), Duration.ofSeconds(5), LIMITS));
  }

  static WorkerConnection greeted(Held... held) {
    var connection = connection();
    connection.received(message(helloOf().addAllHeld(List.of(held))));
    connection.registered(new Registration.Accepted());
    return connection;
  }

  static WorkerConnection open(MailboxEntry... entries) {
    var connection = greeted();
    connection.mailbox(List.of(entries));
    return connection;
  }

  static AgentMessage hello() {
    return message(helloOf());
  }

  static Hello.Builder helloOf() {
    return Hello.newBuilder()
        .setWorkerId(WORKER.toString())
        .setSessionId(MINE.toString())
        .setKey(WorkerKey.random(new Random(1)).bytes())
        .setSessionNumber(1)
        .setName("w")
        .setSlots(4)
        .setConnection(7)
        .setJournalComplete(true);
  }

  static AgentMessage message(Hello.Builder hello) {
    return AgentMessage.newBuilder().setHello(hello).build();
  }

  static TaskId task(DispatchId id) {
    return new TaskId(new UUID(1, id.value().getLeastSignificantBits()));
  }

  static Held held(DispatchId id, Held.Phase phase) {
    return held(id, phase, task(id));
  }

  static Held held(DispatchId id, Held.Phase phase, TaskId task) {
    return Held.newBuilder()
        .setDispatchId(id.toString())
        .setTaskId(task.toString())
        .setPhase(phase)
        .build();
  }

  static MailboxEntry entry(DispatchId id, SessionId session) {
    return entry(id, session, State.DISPATCHED, null);
  }

  static MailboxEntry running(DispatchId id, SessionId session) {
    return entry(id, session, State.RUNNING, null);
  }

  static MailboxEntry entry(
      DispatchId id, SessionId session, State state, @Nullable String abortReason) {
    return new MailboxEntry(task(id), id, session, state, abortReason, work(RunPolicy.DEFAULT));
  }

  static MailboxEntry strict(DispatchId id, SessionId session, State state) {
    return new MailboxEntry(task(id), id, session, state, null, work(STRICT));
  }

  public static final RunPolicy STRICT =
      new RunPolicy(
          RunPolicy.DEFAULT.retry(),
          RunPolicy.EXIT_CODES_DEFAULT,
          null,
          new RunPolicy.WorkerLoss(RunPolicy.OnWorkerLost.RETRY, RunPolicy.Fencing.STRICT));

  public static Optional<Assignment> work(RunPolicy policy) {
    var work = new Work(List.of("true"), null, Map.of(), policy);
    return Optional.of(new Assignment("default", "t", null, null, 1, Optional.of(work)));
  }

  static AgentMessage acked(DispatchId... ids) {
    var acked = Acked.newBuilder();
    for (var id : ids) {
      acked.addDispatchIds(id.toString());
    }
    return AgentMessage.newBuilder().setAcked(acked).build();
  }

  static AgentMessage refused(DispatchId id) {
    return refused(id, task(id));
  }

  static AgentMessage refused(DispatchId id, TaskId task) {
    var refused =
        Refused.newBuilder()
            .setDispatchId(id.toString())
            .setTaskId(task.toString())
            .setReason("full");
    return AgentMessage.newBuilder().setRefused(refused).build();
  }

  static AgentMessage started(DispatchId id) {
    return started(id, task(id));
  }

  static AgentMessage started(DispatchId id, TaskId task) {
    var started =
        Started.newBuilder().setDispatchId(id.toString()).setTaskId(task.toString()).setAtMs(10);
    return AgentMessage.newBuilder().setStarted(started).build();
  }

  static AgentMessage finished(DispatchId id) {
    return finished(id, task(id));
  }

  static AgentMessage finished(DispatchId id, TaskId task) {
    var finished =
        Finished.newBuilder()
            .setDispatchId(id.toString())
            .setTaskId(task.toString())
            .setExit(Exit.getDefaultInstance());
    return AgentMessage.newBuilder().setFinished(finished).build();
  }

  static AgentMessage heartbeat(long number, DispatchId... active) {
    var heartbeat = Heartbeat.newBuilder().setNumber(number).setFreeSlots(4);
    for (var id : active) {
      heartbeat.addActive(id.toString());
    }
    return AgentMessage.newBuilder().setHeartbeat(heartbeat).build();
  }

  static List<Settlement> answers(List<GatewayCommand> commands, Answer answer) {
    return commands.stream()
        .filter(GatewayCommand.Apply.class::isInstance)
        .flatMap(command -> ((GatewayCommand.Apply) command).events().stream())
        .map(event -> new Settlement(event, answer))
        .toList();
  }

  static List<String> told(List<GatewayCommand> commands) {
    return commands.stream().flatMap(Talk::told).toList();
  }

  static Stream<String> told(GatewayCommand command) {
    return switch (command) {
      case GatewayCommand.Send(var message) -> Stream.of(told(message));
      case GatewayCommand.Refuse refuse -> Stream.of(told(refuse.message()));
      case GatewayCommand.Register register ->
          Stream.of("register " + register.hello().peer().connection());
      case GatewayCommand.ReadMailbox _ -> Stream.of("read");
      case GatewayCommand.Apply(var events) -> events.stream().map(Talk::told);
      case GatewayCommand.Rebind rebind ->
          Stream.of(
              "rebind "
                  + String.join(
                      ", ",
                      rebind.bindings().stream()
                          .map(
                              b ->
                                  (b.adopted() ? "adopted " : "")
                                      + name(b.dispatch())
                                      + " from "
                                      + name(b.from())
                                      + wrong(b.dispatch(), b.task()))
                          .toList()));
      case GatewayCommand.Touch touch ->
          Stream.of(
              "touch "
                  + touch.load().number()
                  + " preparing "
                  + touch.load().preparing().stream().map(Talk::name).toList()
                  + " free "
                  + touch.load().freeSlots());
      case GatewayCommand.Drain _ -> Stream.of("drain");
      case GatewayCommand.Close(var reason) -> Stream.of("close " + reason);
      case GatewayCommand.MarkDisconnected(var peer, var gone) ->
          Stream.of("disconnected " + peer.connection() + (gone ? " gone" : ""));
    };
  }

  static String told(WorkerEvent event) {
    var text =
        switch (event) {
          case WorkerEvent.Started started ->
              "started " + name(event.dispatch()) + " at " + started.atMs();
          case WorkerEvent.Ended ended -> told(ended);
        };
    return text + " in " + name(event.session()) + wrong(event.dispatch(), event.task());
  }

  private static String wrong(DispatchId id, TaskId task) {
    return task.equals(task(id)) ? "" : " of another task";
  }

  private static String told(WorkerEvent.Ended ended) {
    var id = name(ended.dispatch());
    return switch (ended.outcome()) {
      case Outcome.Refused(var reason) -> "refused " + id + " " + reason;
      case Outcome.Lost(var reason, var mayRunOn) ->
          "lost " + id + " " + reason + (mayRunOn.isZero() ? "" : " for " + mayRunOn.toMillis());
      case Outcome.Exited _,
          Outcome.TimedOut _,
          Outcome.Stalled _,
          Outcome.Aborted _,
          Outcome.StartFailed _ ->
          "finished " + id;
    };
  }

  static String told(ServerMessage message) {
    return switch (message.getKindCase()) {
      case WELCOME -> "WELCOME";
      case REJECT ->
          "REJECT " + message.getReject().getReason() + " " + message.getReject().getPermanent();
      case ASSIGN ->
          message.getAssign().getDispatchesList().stream()
              .map(dispatch -> " " + name(DispatchId.of(dispatch.getDispatchId())))
              .reduce("ASSIGN", String::concat);
      case SETTLED ->
          message.getSettled().getSettlementsList().stream()
              .map(s -> " " + name(DispatchId.of(s.getDispatchId())) + " " + s.getAnswer())
              .reduce("SETTLED", String::concat);
      case ABORT ->
          "ABORT "
              + name(DispatchId.of(message.getAbort().getDispatchId()))
              + " "
              + message.getAbort().getReason();
      case GRANTED ->
          message.getGranted().getDispatchIdsList().stream()
              .map(id -> " " + name(DispatchId.of(id)))
              .reduce("GRANTED", String::concat);
      case HEARTBEAT_SEEN -> "SEEN " + message.getHeartbeatSeen().getNumber();
      case KIND_NOT_SET -> "nothing";
    };
  }

  static String name(DispatchId id) {
    return id.equals(A) ? "A" : id.equals(B) ? "B" : id.equals(C) ? "C" : id.toString();
  }

  static String name(SessionId id) {
    return id.equals(MINE) ? "mine" : "older";
  }
}
