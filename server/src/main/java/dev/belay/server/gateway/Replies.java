package dev.belay.server.gateway;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the messages of one call. gRPC may end a call before it notifies us, for instance after a
 * malformed message, and then throws on further sends. It does so on the call's event loop, so all
 * messages go through that loop, in order.
 */
final class Replies<T> {

  private static final Logger log = LoggerFactory.getLogger(Replies.class);

  private final ServerCallStreamObserver<T> call;
  private final Executor loop;

  /**
   * @param loop the event loop of the call
   */
  Replies(ServerCallStreamObserver<T> call, Executor loop) {
    this.call = call;
    this.loop = loop;
  }

  void send(T message) {
    send(message, () -> {});
  }

  /**
   * @param sent runs after the message, on the event loop
   */
  void send(T message, Runnable sent) {
    here(
        () -> {
          call.onNext(message);
          sent.run();
        });
  }

  void complete() {
    here(call::onCompleted);
  }

  void fail(Status status) {
    here(() -> call.onError(status.asRuntimeException()));
  }

  private void here(Runnable step) {
    loop.execute(
        () -> {
          try {
            if (!call.isCancelled()) {
              step.run();
            }
          } catch (IllegalStateException ended) {
            log.atDebug().setCause(ended).log("the call ended before this was sent");
          }
        });
  }
}
