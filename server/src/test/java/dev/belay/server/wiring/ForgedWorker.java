package dev.belay.server.wiring;

import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc.AgentGatewayStub;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.Dispatch;
import dev.belay.protocol.agent.v1.Heartbeat;
import dev.belay.protocol.agent.v1.Hello;
import dev.belay.protocol.agent.v1.Reject;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.session.wire.WorkerKey;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client on a real socket that sends the gateway any message a test wants. */
final class ForgedWorker implements ClientResponseObserver<AgentMessage, ServerMessage> {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final List<ServerMessage> heard = new CopyOnWriteArrayList<>();
  private final boolean reads;
  private volatile @Nullable ClientCallStreamObserver<AgentMessage> out;
  private volatile @Nullable String end;

  private ForgedWorker(boolean reads) {
    this.reads = reads;
  }

  static ForgedWorker call(int port, String joinToken) {
    return call(port, joinToken, true);
  }

  /**
   * @param reads false: it reads nothing from the server
   */
  static ForgedWorker call(int port, String joinToken, boolean reads) {
    var worker = new ForgedWorker(reads);
    var _ =
        GrpcClients.builder("gproto+h2c://127.0.0.1:" + port + "/")
            .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + joinToken)
            .responseTimeoutMillis(0)
            .maxResponseLength(0)
            .build(AgentGatewayStub.class)
            .session(worker);
    return worker;
  }

  static Hello.Builder hello(UUID worker, WorkerKey key) {
    return Hello.newBuilder()
        .setWorkerId(worker.toString())
        .setSessionId(UUID.randomUUID().toString())
        .setSessionNumber(1)
        .setConnection(1)
        .setKey(key.bytes())
        .setName("real")
        .addPools("default")
        .setSlots(4)
        .setJournalComplete(true);
  }

  ForgedWorker say(Hello.Builder hello) {
    return say(AgentMessage.newBuilder().setHello(hello).build());
  }

  ForgedWorker say(AgentMessage message) {
    Objects.requireNonNull(out).onNext(message);
    return this;
  }

  ForgedWorker welcomed() {
    hear(ServerMessage::hasWelcome);
    return this;
  }

  Reject rejected() {
    return hear(ServerMessage::hasReject).getReject();
  }

  /** Checks that it is still registered: the server answers its heartbeat. */
  void heartbeats(long number) {
    say(AgentMessage.newBuilder().setHeartbeat(Heartbeat.newBuilder().setNumber(number)).build());
    hear(message -> message.hasHeartbeatSeen() && message.getHeartbeatSeen().getNumber() == number);
  }

  /** All dispatches that it was given. */
  List<Dispatch> assigned() {
    return heard.stream()
        .flatMap(message -> message.getAssign().getDispatchesList().stream())
        .toList();
  }

  /** Why the server ended the stream. */
  String ended() {
    await().atMost(PATIENCE).until(() -> end != null);
    return String.valueOf(end);
  }

  boolean isOpen() {
    return end == null;
  }

  private ServerMessage hear(Predicate<ServerMessage> wanted) {
    await().atMost(PATIENCE).until(() -> end != null || heard.stream().anyMatch(wanted));
    return heard.stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() -> new AssertionError("ended: " + end + ", after " + heard));
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<AgentMessage> call) {
    if (!reads) {
      call.disableAutoRequestWithInitial(0);
    }
    out = call;
  }

  @Override
  public void onNext(ServerMessage message) {
    heard.add(message);
  }

  @Override
  public void onError(Throwable error) {
    end = error.toString();
  }

  @Override
  public void onCompleted() {
    end = "completed";
  }
}
