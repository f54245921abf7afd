package dev.belay.fuzz.request;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The server's answer.
 *
 * @param status of HTTP, or of gRPC; -1 without one
 * @param headers names in lower case
 * @param detail of a connection that failed
 */
@SuppressWarnings("ArrayRecordComponent") // bytes from the wire, never changed nor compared
public record Answer(
    Outcome outcome,
    int status,
    Map<String, String> headers,
    byte[] body,
    long millis,
    String detail) {

  private static final int OK = 200;
  private static final int BAD = 400;

  /** How the connection or the call ended. */
  public enum Outcome {
    ANSWERED,
    /** A gRPC call that ended with a status. */
    CALL_ENDED,
    /** Closed without an answer. */
    CLOSED,
    RESET,
    /** No complete answer in time. */
    SILENT,
    /** The client did not wait for an answer. */
    LEFT
  }

  public Answer {
    headers = Map.copyOf(headers);
  }

  public static Answer of(int status, Map<String, String> headers, byte[] body) {
    return new Answer(Outcome.ANSWERED, status, headers, body, 0, "");
  }

  public static Answer without(Outcome outcome, String detail) {
    return new Answer(outcome, -1, Map.of(), new byte[0], 0, detail);
  }

  public Answer after(long newMillis) {
    return new Answer(outcome, status, headers, body, newMillis, detail);
  }

  public boolean isAccepted() {
    return switch (outcome) {
      case ANSWERED -> status >= OK && status < BAD;
      // The server may have accepted messages before the call ended.
      case CALL_ENDED -> headers.containsKey(WELCOMED);
      case CLOSED, RESET, SILENT, LEFT -> false;
    };
  }

  /** A header that the fuzzer sets: the server opened the session. */
  public static final String WELCOMED = "welcomed";

  /** The word that the report counts. */
  public String word() {
    return switch (outcome) {
      case ANSWERED -> Integer.toString(status);
      case CALL_ENDED -> "grpc-" + status;
      case CLOSED -> "closed";
      case RESET -> "reset";
      case SILENT -> "silent";
      case LEFT -> "left";
    };
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
