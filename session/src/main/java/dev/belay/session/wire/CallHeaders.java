package dev.belay.session.wire;

/** Who makes a gRPC call: headers of both streams, so that logs are of a worker that is known. */
public final class CallHeaders {
  public static final String WORKER = "belay-worker-id";
  public static final String SESSION = "belay-session-id";

  /** Secret: {@link WorkerKey#text}. */
  public static final String KEY = "belay-worker-key";

  private CallHeaders() {}
}
