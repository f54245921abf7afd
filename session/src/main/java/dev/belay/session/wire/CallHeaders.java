package dev.belay.session.wire;

/** Identify the worker in the gRPC calls of both streams, so that logs have a known sender. */
public final class CallHeaders {
  public static final String WORKER = "belay-worker-id";
  public static final String SESSION = "belay-session-id";

  /** Secret: {@link WorkerKey#text}. */
  public static final String KEY = "belay-worker-key";

  private CallHeaders() {}
}
