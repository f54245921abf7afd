package dev.belay.fuzz.request;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One request of the fuzzer.
 *
 * @param number from 1, in the order of the seed
 * @param route the report counts it under this name
 * @param kind its fault, or {@code valid}
 */
public record Request(long number, String route, String kind, Content content) {

  private static final int SHOWN_MAX = 600;

  /** The bytes or the call to send. */
  public sealed interface Content permits Http, Worker {}

  /**
   * Bytes on a connection.
   *
   * @param wellFormed HTTP that every server must answer
   * @param trouble the client's behaviour
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes for the wire, never changed nor compared
  public record Http(byte[] bytes, boolean wellFormed, boolean isHead, Trouble trouble)
      implements Content {

    /** Whether the next request on the same connection starts clean. */
    public boolean mayShareConnection() {
      return wellFormed && trouble == Trouble.NONE;
    }
  }

  /** The client's behaviour besides sending the bytes. */
  public enum Trouble {
    NONE,
    /** Sends half of the bytes late. */
    SLOW,
    /** Never sends half of the bytes, and waits for a moment. */
    HALF,
    /** Sends everything, and does not read for a moment. */
    UNREAD,
    /** Reads for a moment, because the answer may be endless. */
    STREAM,
    /** Not HTTP/1: any answer or none is fine; the connection closes soon. */
    OTHER_PROTOCOL
  }

  /**
   * A gRPC call.
   *
   * @param frames each a whole frame with its prefix, or bytes that should be one
   * @param decodable whether the frames are valid
   */
  public record Worker(
      String method, Credential credential, List<byte[]> frames, boolean decodable, End end)
      implements Content {
    public Worker {
      frames = List.copyOf(frames);
    }
  }

  /** The token of a call. */
  public enum Credential {
    JOIN,
    API,
    WRONG,
    NONE
  }

  /** How a call ends. */
  public enum End {
    HALF_CLOSE,
    RESET,
    /** The client reads none of the answer. */
    UNREAD
  }

  /** Whether it asks for no change. */
  public boolean isRead() {
    return content instanceof Http http
        && (startsWith(http.bytes(), "GET ") || startsWith(http.bytes(), "HEAD "));
  }

  private static boolean startsWith(byte[] bytes, String text) {
    return bytes.length >= text.length()
        && new String(bytes, 0, text.length(), StandardCharsets.ISO_8859_1).equals(text);
  }

  /** Its beginning, for people, with unprintable characters escaped. */
  public String shown() {
    byte[] bytes =
        switch (content) {
          case Http http -> http.bytes();
          case Worker worker -> join(worker.frames());
        };
    var text = new StringBuilder();
    if (content instanceof Worker worker) {
      text.append(worker.method())
          .append(' ')
          .append(worker.credential())
          .append(' ')
          .append(worker.end())
          .append(": ");
    }
    for (int i = 0; i < Math.min(bytes.length, SHOWN_MAX); i++) {
      int c = bytes[i] & 0xff;
      if (c == '\r') {
        text.append("\\r");
      } else if (c == '\n') {
        text.append("\\n");
      } else if (c < ' ' || c > '~') {
        text.append("\\x")
            .append(Character.forDigit(c >> 4, 16))
            .append(Character.forDigit(c & 15, 16));
      } else {
        text.append((char) c);
      }
    }
    return bytes.length <= SHOWN_MAX ? text.toString() : text + "... (" + bytes.length + " bytes)";
  }

  private static byte[] join(List<byte[]> parts) {
    byte[] all = new byte[parts.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
