package dev.belay.agent.link;

import dev.belay.protocol.agent.v1.AgentMessage;
import dev.belay.protocol.agent.v1.ServerMessage;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the session. The loop writes. The network threads call the listener, at most
 * {@code unhandledMax} messages ahead of the loop.
 */
final class SessionStream {

  /** The network threads call it. */
  interface Listener {
    void received(SessionStream stream, ServerMessage message);

    /** Called once, unless this side closed the stream. */
    void ended(SessionStream stream, Optional<Throwable> error);
  }

  private final Servers.Server server;
  private @Nullable ClientCallStreamObserver<AgentMessage> requests;

  private SessionStream(Servers.Server server) {
    this.server = server;
  }

  static SessionStream open(Servers.Server server, int unhandledMax, Listener listener) {
    var stream = new SessionStream(server);
    var _ = server.gateway().session(stream.new Responses(unhandledMax, listener));
    return stream;
  }

  Servers.Server server() {
    return server;
  }

  void send(AgentMessage message) {
    requests().onNext(message);
  }

  /** The loop has handled one message, so the server may send another. */
  void handled() {
    requests().request(1);
  }

  /** Closes the sending side. */
  void complete() {
    requests().onCompleted();
  }

  void cancel(String reason) {
    requests().cancel(reason, null);
  }

  private ClientCallStreamObserver<AgentMessage> requests() {
    return Objects.requireNonNull(requests, "not open");
  }

  private final class Responses implements ClientResponseObserver<AgentMessage, ServerMessage> {
    private final int unhandledMax;
    private final Listener listener;

    Responses(int unhandledMax, Listener listener) {
      this.unhandledMax = unhandledMax;
      this.listener = listener;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<AgentMessage> call) {
      call.disableAutoRequestWithInitial(unhandledMax);
      requests = call;
    }

    @Override
    public void onNext(ServerMessage message) {
      listener.received(SessionStream.this, message);
    }

    @Override
    public void onError(Throwable error) {
      listener.ended(SessionStream.this, Optional.of(error));
    }

    @Override
    public void onCompleted() {
      listener.ended(SessionStream.this, Optional.empty());
    }
  }
}
