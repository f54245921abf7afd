package dev.belay.server.gateway;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.engine.gateway.Gateway;
import dev.belay.engine.gateway.WorkerStream;
import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.ServerMessage;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One gRPC call of a worker: passes its messages to the gateway's stream and sends the stream's
 * answers.
 */
final class WorkerCall implements StreamObserver<AgentMessage>, Gateway.Outbound {

  private final ServerCallStreamObserver<ServerMessage> call;
  private final Replies<ServerMessage> replies;
  private final ServiceRequestContext context;
  private final UnreadBound unread;
  private final Runnable onUnread;
  private final WorkerStream stream;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * @param onUnread runs when the call is cut because its worker does not read
   */
  WorkerCall(
      ServerCallStreamObserver<ServerMessage> call,
      Gateway gateway,
      UnreadBound unread,
      Runnable onUnread) {
    this.call = call;
    this.unread = unread;
    this.onUnread = onUnread;
    this.context = ServiceRequestContext.current();
    this.replies = new Replies<>(call, context.eventLoop().withoutContext());
    this.stream = gateway.open(this);
  }

  WorkerCall open(int window) {
    call.disableAutoRequest();
    call.setOnCancelHandler(this::cancelled);
    call.setOnCloseHandler(() -> closed(false));
    call.setOnReadyHandler(unread::ready);
    call.request(window);
    return this;
  }

  @Override
  public void onNext(AgentMessage message) {
    stream.received(message, () -> call.request(1));
  }

  @Override
  public void onError(Throwable failure) {
    cancelled();
  }

  /**
   * A dead process closes the whole connection; a cancelled call on a live connection is different.
   */
  private void cancelled() {
    var channel = context.log().partial().channel();
    closed(channel != null && Ending.byPeer(channel));
  }

  @Override
  public void onCompleted() {
    if (closed(false)) {
      replies.complete();
    }
  }

  @Override
  public void send(ServerMessage message) {
    if (over.get() || call.isCancelled()) {
      return;
    }
    // gRPC keeps unsent messages in memory
    look();
    if (over.get()) {
      return;
    }
    int size = message.getSerializedSize();
    unread.sends(size);
    replies.send(message, () -> unread.written(size, call.isReady()));
  }

  @Override
  public void look() {
    if (unread.isTooMuch() && !over.get()) {
      onUnread.run();
      close("this worker does not read what it is sent");
    }
  }

  @Override
  public String address() {
    return context.remoteAddress().getAddress().getHostAddress();
  }

  @Override
  public void close(String reason) {
    if (closed(false)) {
      replies.fail(Status.UNAVAILABLE.withDescription(reason));
    }
  }

  /** True for the first caller that ends the call. */
  private boolean closed(boolean byPeer) {
    if (!over.compareAndSet(false, true)) {
      return false;
    }
    stream.closed(byPeer);
    return true;
  }
}
