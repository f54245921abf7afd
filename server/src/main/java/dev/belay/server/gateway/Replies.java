package dev.belay.server.gateway;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a call sends. The library below may end a call before it tells us, as for a message that is
 * malformed, and throws at what comes after that; it does so on the event loop of the call, so all
 * that is sent goes through there, in its order.
 */
final class Replies<T> {

  private static final Logger log = LoggerFactory.getLogger(Replies.class);

  private final ServerCallStreamObserver<T> call;
  private final ServiceRequestContext context;

  /** To be made on the thread that opens the call. */
  Replies(ServerCallStreamObserver<T> call) {
    this.call = call;
    this.context = ServiceRequestContext.current();
  }

  void send(T message) {
    here(() -> call.onNext(message));
  }

  void complete() {
    here(call::onCompleted);
  }

  void fail(Status status) {
    here(() -> call.onError(status.asRuntimeException()));
  }

  private void here(Runnable step) {
    context
        .eventLoop()
        .withoutContext()
        .execute(
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
