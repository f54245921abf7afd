package dev.belay.embedded;

/** The server could not start. The message tells people what failed and what to do. */
public final class EmbeddedPostgresFailed extends Exception {
  EmbeddedPostgresFailed(String message) {
    super(message);
  }

  EmbeddedPostgresFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
