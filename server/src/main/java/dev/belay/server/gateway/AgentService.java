package dev.belay.server.gateway;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.engine.gateway.Gateway;
import dev.belay.protocol.agent.v1.AgentGatewayGrpc;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.LogAck;
import dev.belay.protocol.agent.v1.LogChunk;
import dev.belay.protocol.agent.v1.ServerMessage;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/**
 * Carries messages between gRPC streams and the gateway. It requests the next message after it
 * handled one.
 */
public final class AgentService extends AgentGatewayGrpc.AgentGatewayImplBase {

  private static final int WINDOW = 256;

  private final Gateway gateway;
  private final LogGateway logs;
  private final Supplier<UnreadBound> unread;
  private final Runnable onUnread;

  /**
   * @param unread creates the bound of each worker
   * @param onUnread runs after a worker's stream was cut because it did not read
   */
  public AgentService(
      Gateway gateway, LogGateway logs, Supplier<UnreadBound> unread, Runnable onUnread) {
    this.gateway = gateway;
    this.unread = unread;
    this.onUnread = onUnread;
    this.logs = logs;
  }

  @Override
  public StreamObserver<AgentMessage> session(StreamObserver<ServerMessage> responses) {
    var call = (ServerCallStreamObserver<ServerMessage>) responses;
    return new WorkerCall(call, gateway, unread.get(), onUnread).open(WINDOW);
  }

  @Override
  public StreamObserver<LogChunk> shipLogs(StreamObserver<LogAck> responses) {
    var context = ServiceRequestContext.current();
    return new LogCall(
            logs,
            context.request().headers(),
            (ServerCallStreamObserver<LogAck>) responses,
            context.eventLoop().withoutContext())
        .open();
  }
}
