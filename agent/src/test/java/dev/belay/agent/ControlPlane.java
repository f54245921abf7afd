package dev.belay.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.belay.protocol.agent.v1.Abort;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Assign;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.protocol.agent.v1.Granted;
import dev.belay.protocol.agent.v1.HeartbeatSeen;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import dev.belay.protocol.agent.v1.Reject;
import dev.belay.protocol.agent.v1.Results;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.protocol.agent.v1.Settled;
import dev.belay.protocol.agent.v1.Settlement;
import dev.belay.protocol.agent.v1.Started;
import dev.belay.protocol.agent.v1.Welcome;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A scripted control plane that records every message it receives, in order. */
final class ControlPlane extends AgentGatewayGrpc.AgentGatewayImplBase implements AutoCloseable {

  private final Server server;
  private final List<Object> heard = new ArrayList<>();
  private final List<LogAck> heldAcks = new ArrayList<>();
  private final Map<String, ByteArrayOutputStream> logs = new HashMap<>();
  private @Nullable StreamObserver<ServerMessage> agent;
  private @Nullable StreamObserver<LogAck> logStream;
  private boolean settling = true;
  private boolean ackingLogs = true;
  private boolean seeing;
  private boolean granting;
  private String rejection = "";
  private long lastNumber;
  private @Nullable String authorization;

  ControlPlane() {
    this(0);
  }

  ControlPlane(int port) {
    server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .requestTimeoutMillis(0)
            .maxRequestLength(0)
            .service(GrpcService.builder().addService(this).build())
            .build();
    server.start().join();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.activeLocalPort());
  }

  static Dispatch dispatch(String... argv) {
    return Dispatch.newBuilder()
        .setDispatchId(UUID.randomUUID().toString())
        .setTaskId(UUID.randomUUID().toString())
        .setRunId(UUID.randomUUID().toString())
        .setTaskName("a-task")
        .setTenant("default")
        .setWorkflow("a-workflow")
        .addAllArgv(List.of(argv))
        .build();
  }

  static Dispatch strict(Duration lease, String... argv) {
    return dispatch(argv).toBuilder().setLeaseMs(lease.toMillis()).build();
  }

  // ---- script ----

  synchronized void settling(boolean on) {
    settling = on;
  }

  synchronized void ackingLogs(boolean on) {
    ackingLogs = on;
    if (on && logStream != null) {
      heldAcks.forEach(logStream::onNext);
      heldAcks.clear();
    }
  }

  /** Answers heartbeats. */
  synchronized void seeing(boolean on) {
    seeing = on;
  }

  /** Answers starts. */
  synchronized void granting(boolean on) {
    granting = on;
  }

  void grant(String dispatch) {
    say(ServerMessage.newBuilder().setGranted(Granted.newBuilder().addDispatchIds(dispatch)));
  }

  synchronized void rejecting(String reason) {
    rejection = reason;
  }

  /** Tells processes with a number up to this one to count on from it. */
  synchronized void counted(long sessions) {
    lastNumber = sessions;
  }

  void assign(Dispatch... dispatches) {
    awaitHello(1);
    say(
        ServerMessage.newBuilder()
            .setAssign(Assign.newBuilder().addAllDispatches(List.of(dispatches))));
  }

  void abort(Dispatch dispatch, String reason) {
    say(
        ServerMessage.newBuilder()
            .setAbort(
                Abort.newBuilder()
                    .setDispatchId(dispatch.getDispatchId())
                    .setReason(reason)
                    .setGraceMs(2000)));
  }

  synchronized void drop() {
    if (agent != null) {
      agent.onError(Status.UNAVAILABLE.asRuntimeException());
      agent = null;
    }
  }

  private synchronized void say(ServerMessage.Builder message) {
    if (agent != null) {
      agent.onNext(message.build());
    }
  }

  // ---- received messages ----

  boolean greeted() {
    return all(AgentMessage::hasHello).findAny().isPresent();
  }

  /** The start of an agent's process takes long on a busy machine. */
  Hello awaitHello(int number) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> all(AgentMessage::hasHello).count() >= number);
    return all(AgentMessage::hasHello).toList().get(number - 1).getHello();
  }

  Started awaitStarted(Dispatch dispatch) {
    Predicate<AgentMessage> wanted =
        m ->
            m.hasStarted()
                && m.getStarted().getDispatchId().equals(dispatch.getDispatchId())
                && m.getStarted().getTaskId().equals(dispatch.getTaskId());
    await().until(() -> all(wanted).count() > 0);
    return all(wanted).toList().getFirst().getStarted();
  }

  Finished awaitFinished(Dispatch dispatch) {
    return awaitFinished(dispatch, 1);
  }

  Finished awaitFinished(Dispatch dispatch, int number) {
    await().until(() -> finished(dispatch).size() >= number);
    return finished(dispatch).get(number - 1);
  }

  List<Finished> finished(Dispatch dispatch) {
    return all(AgentMessage::hasFinished)
        .map(AgentMessage::getFinished)
        .filter(
            f ->
                f.getDispatchId().equals(dispatch.getDispatchId())
                    && f.getTaskId().equals(dispatch.getTaskId()))
        .toList();
  }

  long heartbeats() {
    return all(AgentMessage::hasHeartbeat).count();
  }

  synchronized Stream<AgentMessage> all(Predicate<AgentMessage> wanted) {
    return heard.stream()
        .filter(AgentMessage.class::isInstance)
        .map(AgentMessage.class::cast)
        .filter(wanted)
        .toList()
        .stream();
  }

  /**
   * The kinds of the received messages: "hello", "log", ...; without heartbeats, and without
   * starts, which the end of a short task includes.
   */
  synchronized List<String> kinds() {
    return heard.stream()
        .map(
            h ->
                h instanceof AgentMessage m
                    ? m.getKindCase().name().toLowerCase(Locale.ROOT)
                    : "log")
        .filter(kind -> !Set.of("heartbeat", "started").contains(kind))
        .toList();
  }

  synchronized String log(Dispatch dispatch) {
    var log = logs.get(dispatch.getDispatchId());
    return log == null ? "" : log.toString(UTF_8);
  }

  synchronized @Nullable String authorization() {
    return authorization;
  }

  // ---- the gateway ----

  @Override
  public StreamObserver<AgentMessage> session(StreamObserver<ServerMessage> responses) {
    synchronized (this) {
      authorization =
          ServiceRequestContext.current().request().headers().get(HttpHeaderNames.AUTHORIZATION);
    }
    return new StreamObserver<>() {
      @Override
      public void onNext(AgentMessage message) {
        if (message.hasResults()) {
          each(message.getResults()).forEach(result -> hear(result.build(), responses));
        } else {
          hear(message, responses);
        }
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  /** The results as if they had come one by one. */
  private static List<AgentMessage.Builder> each(Results results) {
    var each = new ArrayList<AgentMessage.Builder>();
    results.getStartedList().forEach(one -> each.add(AgentMessage.newBuilder().setStarted(one)));
    results.getFinishedList().forEach(one -> each.add(AgentMessage.newBuilder().setFinished(one)));
    results.getRefusedList().forEach(one -> each.add(AgentMessage.newBuilder().setRefused(one)));
    if (each.isEmpty() || each.size() > 3) {
      throw new IllegalStateException(each.size() + " results in one message");
    }
    return each;
  }

  private synchronized void hear(AgentMessage message, StreamObserver<ServerMessage> responses) {
    if (message.hasHello()) {
      agent = responses;
      if (message.getHello().getSessionNumber() <= lastNumber) {
        var older = Reject.newBuilder().setReason("older").setLastSessionNumber(lastNumber);
        say(ServerMessage.newBuilder().setReject(older));
      } else if (rejection.isEmpty()) {
        say(
            ServerMessage.newBuilder()
                .setWelcome(
                    Welcome.newBuilder()
                        .setHeartbeatIntervalMs(100)
                        .setReplica("test")
                        .setResultsMax(3)));
      } else {
        say(
            ServerMessage.newBuilder()
                .setReject(Reject.newBuilder().setReason(rejection).setPermanent(true)));
      }
    }
    heard.add(message);
    if (message.hasHeartbeat() && seeing) {
      var seen = HeartbeatSeen.newBuilder().setNumber(message.getHeartbeat().getNumber());
      say(ServerMessage.newBuilder().setHeartbeatSeen(seen));
    }
    if (message.hasStarted() && granting) {
      grant(message.getStarted().getDispatchId());
    }
    if ((message.hasFinished() || message.hasRefused()) && settling) {
      say(
          ServerMessage.newBuilder()
              .setSettled(
                  Settled.newBuilder()
                      .addSettlements(
                          Settlement.newBuilder()
                              .setDispatchId(
                                  message.hasFinished()
                                      ? message.getFinished().getDispatchId()
                                      : message.getRefused().getDispatchId())
                              .setAnswer(Settlement.Answer.APPLIED))));
    }
  }

  @Override
  public StreamObserver<LogChunk> shipLogs(StreamObserver<LogAck> responses) {
    // An agent may die before its logs are acknowledged.
    ((ServerCallStreamObserver<LogAck>) responses).setOnCancelHandler(() -> {});
    synchronized (this) {
      logStream = responses;
    }
    return new StreamObserver<>() {
      @Override
      public void onNext(LogChunk chunk) {
        store(chunk, responses);
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  private synchronized void store(LogChunk chunk, StreamObserver<LogAck> responses) {
    heard.add(chunk);
    var log = logs.computeIfAbsent(chunk.getDispatchId(), id -> new ByteArrayOutputStream());
    if (chunk.getOffset() <= log.size()) {
      log.writeBytes(
          chunk.getData().substring((int) (log.size() - chunk.getOffset())).toByteArray());
    }
    var ack =
        LogAck.newBuilder().setDispatchId(chunk.getDispatchId()).setLength(log.size()).build();
    if (ackingLogs) {
      responses.onNext(ack);
    } else {
      heldAcks.add(ack);
    }
  }

  /** Does not wait for the network library's two quiet seconds. */
  @Override
  public void close() {
    var _ = server.stop();
  }
}
