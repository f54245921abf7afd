package dev.belay.server;

import dev.belay.server.wiring.ServerProcess;

/** A running server replica. */
public final class BelayServer implements AutoCloseable {

  private final ServerProcess process;

  private BelayServer(ServerProcess process) {
    this.process = process;
  }

  /** Returns when the server can be called. */
  public static BelayServer start(ServerSettings settings) throws ServerFailed {
    return new BelayServer(ServerProcess.start(settings));
  }

  public int port() {
    return process.port();
  }

  /** Steps down, hands its workers over, touches no task. */
  @Override
  public void close() {
    process.close();
  }

  /** The server could not start; the message is for a person. */
  public static final class ServerFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public ServerFailed(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
