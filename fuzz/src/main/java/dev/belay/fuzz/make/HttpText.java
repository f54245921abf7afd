package dev.belay.fuzz.make;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** An HTTP/1.1 request under construction; every part can be replaced. Not thread-safe. */
final class HttpText {

  String method;
  String target;
  String version = "HTTP/1.1";
  String lineEnd = "\r\n";
  final List<String> headers = new ArrayList<>();
  byte[] body = {};

  /** The framing of the body; null leaves it to the headers. */
  Framing framing = Framing.LENGTH;

  /** How the end of a body is marked. */
  enum Framing {
    LENGTH,
    CHUNKED,
    /** As the headers claim, correctly or not. */
    AS_IS
  }

  HttpText(String method, String target) {
    this.method = method;
    this.target = target;
  }

  HttpText header(String name, String value) {
    headers.add(name + ": " + value);
    return this;
  }

  void without(String name) {
    headers.removeIf(header -> header.regionMatches(true, 0, name + ":", 0, name.length() + 1));
  }

  byte[] bytes() {
    var out = new ByteArrayOutputStream();
    write(out, method + " " + target + " " + version + lineEnd);
    headers.forEach(header -> write(out, header + lineEnd));
    boolean bodied = body.length > 0 || method.equals("POST");
    switch (framing) {
      case LENGTH -> {
        if (bodied) {
          write(out, "Content-Length: " + body.length + lineEnd);
        }
        write(out, lineEnd);
        out.writeBytes(body);
      }
      case CHUNKED -> {
        write(out, "Transfer-Encoding: chunked" + lineEnd + lineEnd);
        int step = Math.max(1, Math.min(body.length, 1 << 16) / 3);
        for (int at = 0; at < body.length; at += step) {
          int size = Math.min(step, body.length - at);
          write(out, Integer.toHexString(size) + "\r\n");
          out.write(body, at, size);
          write(out, "\r\n");
        }
        write(out, "0\r\n\r\n");
      }
      case AS_IS -> {
        write(out, lineEnd);
        out.writeBytes(body);
      }
    }
    return out.toByteArray();
  }

  /** Header text may contain any byte: characters up to 255 are written as that byte. */
  private static void write(ByteArrayOutputStream out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
