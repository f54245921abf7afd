package dev.belay.server.gateway;

import dev.belay.domain.id.DispatchId;
import dev.belay.engine.gateway.Gateway;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import dev.belay.protocol.agent.v1.ServerMessage;
import dev.belay.server.logs.LogStore;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries messages between gRPC streams and the gateway. A message is asked for when one was dealt
 * with.
 */
public final class AgentService extends AgentGatewayGrpc.AgentGatewayImplBase {

  private static final Logger log = LoggerFactory.getLogger(AgentService.class);
  private static final int WINDOW = 256;

  private final Gateway gateway;
  private final LogStore logs;
  private final Executor executor;
  private final Runnable logsChanged;
  private final Supplier<UnreadBound> unread;
  private final Runnable onUnread;

  /**
   * @param executor may block; writes logs
   * @param logsChanged told after log bytes were stored
   * @param unread of one worker each
   * @param onUnread told when a worker was cut because it did not read
   */
  public AgentService(
      Gateway gateway,
      LogStore logs,
      Executor executor,
      Runnable logsChanged,
      Supplier<UnreadBound> unread,
      Runnable onUnread) {
    this.gateway = gateway;
    this.unread = unread;
    this.onUnread = onUnread;
    this.logs = logs;
    this.executor = executor;
    this.logsChanged = logsChanged;
  }

  @Override
  public StreamObserver<AgentMessage> session(StreamObserver<ServerMessage> responses) {
    var call = (ServerCallStreamObserver<ServerMessage>) responses;
    return new WorkerCall(call, gateway, unread.get(), onUnread).open(WINDOW);
  }

  @Override
  public StreamObserver<LogChunk> shipLogs(StreamObserver<LogAck> responses) {
    var call = (ServerCallStreamObserver<LogAck>) responses;
    call.disableAutoRequest();
    call.request(1);
    return new StreamObserver<>() {
      @Override
      public void onNext(LogChunk chunk) {
        executor.execute(() -> store(chunk, call));
      }

      @Override
      public void onError(Throwable failure) {
        log.atDebug().setCause(failure).log("log stream ended");
      }

      @Override
      public void onCompleted() {
        call.onCompleted();
      }
    };
  }

  /** One chunk at a time: the next is asked for when this one is stored. */
  private void store(LogChunk chunk, ServerCallStreamObserver<LogAck> call) {
    try {
      LogStore.Appended appended =
          logs.append(
              DispatchId.of(chunk.getDispatchId()),
              chunk.getOffset(),
              chunk.getData().asReadOnlyByteBuffer(),
              chunk.getLast());
      logsChanged.run();
      if (!call.isCancelled()) {
        call.onNext(
            LogAck.newBuilder()
                .setDispatchId(chunk.getDispatchId())
                .setLength(appended.length())
                .setFull(appended.full())
                .build());
        call.request(1);
      }
    } catch (IOException | RuntimeException failed) {
      log.atWarn()
          .addKeyValue("dispatch", chunk.getDispatchId())
          .setCause(failed)
          .log("log not stored");
      if (!call.isCancelled()) {
        call.onError(
            Status.UNAVAILABLE.withDescription("the log could not be stored").asRuntimeException());
      }
    }
  }
}
