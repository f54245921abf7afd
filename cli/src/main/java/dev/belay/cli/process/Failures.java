package dev.belay.cli.process;

import dev.belay.server.wiring.BelayServer;
import java.net.BindException;
import java.net.UnknownHostException;

/** Explains to a person why a server or a worker could not start. */
final class Failures {

  /** Causes can form a circle. */
  private static final int CAUSES_MAX = 20;

  /** The native transport's message instead of a BindException. */
  private static final String IN_USE = "Address already in use";

  private Failures() {}

  static String portInUse(int port) {
    return "Port %d is in use by another program. Choose another with --port; --port 0 takes a free one."
        .formatted(port);
  }

  static String gaveUp(String why) {
    String cause = why.strip().replaceAll("\\.$", "");
    return "The worker gave up: %s.".formatted(cause);
  }

  static String told(Exception e, int port) {
    Throwable cause = e;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      if (cause instanceof BindException || String.valueOf(cause.getMessage()).contains(IN_USE)) {
        return portInUse(port);
      }
      if (cause instanceof UnknownHostException) {
        return "The address in --host is not one of this machine: %s."
            .formatted(cause.getMessage());
      }
      cause = cause.getCause();
    }
    if (e instanceof BelayServer.ServerFailed && e.getMessage() != null) {
      return e.getMessage();
    }
    String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return "Could not start: %s. The log has details.".formatted(why);
  }
}
