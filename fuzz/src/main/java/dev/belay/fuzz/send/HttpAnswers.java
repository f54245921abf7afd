package dev.belay.fuzz.send;

import dev.belay.fuzz.request.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads HTTP/1 answers. */
final class HttpAnswers {

  private static final int CONTINUE_MAX = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final int LINE_MAX = 1 << 16;

  private HttpAnswers() {}

  /** The connection ended before the answer did. */
  static final class Closed extends IOException {
    private static final long serialVersionUID = 1L;

    Closed(String message) {
      super(message);
    }
  }

  static Answer read(InputStream in, boolean isHead) throws IOException {
    while (true) {
      String first = line(in);
      if (first == null) {
        throw new Closed("closed before an answer");
      }
      if (!first.matches("HTTP/1\\.[01] [1-9][0-9]{2}.*")) {
        throw new Closed("not HTTP/1: " + first.substring(0, Math.min(80, first.length())));
      }
      int status = Integer.parseInt(first.substring(9, 12));
      Map<String, String> headers = headers(in);
      if (status < CONTINUE_MAX) {
        continue;
      }
      boolean bodied = !isHead && status != NO_CONTENT && status != NOT_MODIFIED;
      return Answer.of(status, headers, bodied ? body(in, headers) : new byte[0]);
    }
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    var headers = new HashMap<String, String>();
    for (String line = line(in); line == null || !line.isEmpty(); line = line(in)) {
      if (line == null) {
        throw new Closed("closed within the headers");
      }
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    return headers;
  }

  private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
    String length = headers.get("content-length");
    if (length != null) {
      return exactly(in, Integer.parseInt(length));
    }
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      return chunks(in);
    }
    return in.readAllBytes();
  }

  private static byte[] chunks(InputStream in) throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      String size = line(in);
      if (size == null) {
        throw new Closed("closed within a chunked body");
      }
      int bytes = Integer.parseInt(size.replaceFirst(";.*", "").strip(), 16);
      if (bytes == 0) {
        headers(in);
        return body.toByteArray();
      }
      body.writeBytes(exactly(in, bytes));
      line(in);
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new Closed("closed after " + bytes.length + " of " + length + " bytes of the body");
    }
    return bytes;
  }

  private static @Nullable String line(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        return line.size() == 0 ? null : line.toString(StandardCharsets.ISO_8859_1);
      }
      if (line.size() > LINE_MAX) {
        throw new Closed("a line without an end");
      }
      line.write(c);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }
}
