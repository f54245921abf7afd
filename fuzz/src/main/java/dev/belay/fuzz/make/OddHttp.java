package dev.belay.fuzz.make;

import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Trouble;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Faults in the HTTP itself or in the client's behaviour. */
final class OddHttp {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

  /** The kinds that the proof expects; one for each case below. */
  static final int KINDS = 24;

  record Odd(Http http, String kind) {}

  private OddHttp() {}

  static Odd of(HttpMaker.Made made, Dice dice) {
    int kind = dice.below(KINDS);
    HttpText text = made.text();
    boolean wellFormed = false;
    Trouble trouble = Trouble.NONE;
    switch (kind) {
      case 0 -> text.header("Host", "127.0.0.1");
      case 1 ->
          text.version =
              dice.oneOf("HTTP/9.9", "HTTP/0.9", "HTTP/1.2", "HTTP/x", "", "HTTP/11", "http/1.1");
      case 2 -> {
        text.version = "HTTP/1.0";
        wellFormed = text.framing == HttpText.Framing.LENGTH;
      }
      case 3 -> {
        text.header("Expect", "100-continue");
        wellFormed = true;
      }
      case 4 -> {
        text.header("Expect", dice.oneOf("100-continue", "200-ok", "x"));
        text.method = dice.oneOf("BREW", "get", "G", "X".repeat(100), "PROPFIND");
      }
      case 5 ->
          text.method =
              dice.oneOf("BREW", "get", "G E T", "\0", "TRACE", "CONNECT", "OPTIONS", "é");
      case 6 -> lyingLength(text, dice);
      case 7 -> oddChunks(text, dice);
      case 8 -> {
        text.framing = HttpText.Framing.AS_IS;
        text.header("Content-Length", Integer.toString(text.body.length));
        text.header("Transfer-Encoding", "chunked");
      }
      case 9 -> text.header("X-Absurd", "x".repeat(dice.oneOf(9_000, 20_000, 200_000)));
      case 10 -> {
        for (int i = 0; i < 2_000; i++) {
          text.header("X-" + i, "x");
        }
      }
      case 11 ->
          text.headers.add(
              dice.oneOf(
                  "NoColon",
                  ": empty",
                  "A B: c",
                  "X\0: y",
                  "X : y",
                  " folded",
                  "X: a\rb",
                  "X: a\0b",
                  "\u00e9: x"));
      case 12 -> text.lineEnd = dice.oneOf("\n", "\r", "\r\r\n");
      case 13 ->
          text.target =
              dice.oneOf(
                  "",
                  "*",
                  "nowhere",
                  "http://evil.example/healthz",
                  "//healthz",
                  "/%",
                  "/%zz",
                  "/\0",
                  "/healthz#x",
                  "/a b",
                  "/" + "x".repeat(9_000),
                  "/../../etc/passwd",
                  "/healthz?%",
                  "/api//v1/tasks",
                  "\\");
      case 14 -> text.without("Host");
      case 15 ->
          text.header("Connection", dice.oneOf("close", "upgrade", "Host", "x".repeat(4_000)));
      case 16 -> {
        // After a switch to another protocol, nothing more is read.
        trouble = Trouble.OTHER_PROTOCOL;
        text.header("Upgrade", "h2c")
            .header("Connection", "Upgrade, HTTP2-Settings")
            .header("HTTP2-Settings", dice.oneOf("", "AAAA", "!!!!"));
      }
      case 17 -> trouble = Trouble.OTHER_PROTOCOL;
      case 18 -> trouble = Trouble.OTHER_PROTOCOL;
      case 19 -> trouble = Trouble.OTHER_PROTOCOL;
      case 20 -> {
        trouble = dice.oneIn(8) ? Trouble.SLOW : Trouble.NONE;
        wellFormed = true;
      }
      case 21 -> trouble = dice.oneIn(8) ? Trouble.HALF : Trouble.NONE;
      case 22 -> {
        trouble = dice.oneIn(8) ? Trouble.UNREAD : Trouble.NONE;
        wellFormed = true;
      }
      default -> {
        text.method = "HEAD";
        text.body = new byte[0];
        text.framing = HttpText.Framing.LENGTH;
        wellFormed = true;
      }
    }
    Http http = HttpMaker.http(made, wellFormed, trouble);
    if (trouble == Trouble.OTHER_PROTOCOL && kind != 16) {
      http = new Http(otherProtocol(kind, dice), false, false, trouble);
    } else if (text.method.equals("HEAD")) {
      http = new Http(http.bytes(), http.wellFormed(), true, http.trouble());
    }
    return new Odd(http, "odd-" + kind);
  }

  private static void lyingLength(HttpText text, Dice dice) {
    text.framing = HttpText.Framing.AS_IS;
    text.header(
        "Content-Length",
        dice.oneOf(
            "-1",
            "99999999999999999999",
            "1x",
            "",
            "0, 5",
            "+5",
            "0x10",
            Integer.toString(Math.max(0, text.body.length - 5)),
            "9223372036854775807"));
    if (dice.oneIn(3)) {
      text.header("Content-Length", "7");
    }
  }

  private static void oddChunks(HttpText text, Dice dice) {
    text.framing = HttpText.Framing.AS_IS;
    text.header(
        "Transfer-Encoding",
        dice.oneOf("chunked", "chunked, chunked", "gzip, chunked", "x", "CHUNKED"));
    text.body =
        JsonMaker.utf8(
            dice.oneOf(
                "zz\r\n{}\r\n0\r\n\r\n",
                "ffffffffffffffff\r\n{}\r\n",
                "-1\r\n\r\n",
                "2;ext=" + "x".repeat(5_000) + "\r\n{}\r\n0\r\n\r\n",
                "2\r\n{}x\r\n0\r\n\r\n",
                "0\r\nTrailer: " + "x".repeat(20_000) + "\r\n\r\n",
                "2\n{}\n0\n\n",
                "\r\n"));
  }

  private static byte[] otherProtocol(int kind, Dice dice) {
    var out = new ByteArrayOutputStream();
    switch (kind) {
      case 17 -> {
        // A preface with a fault.
        byte[] preface = PREFACE.clone();
        preface[dice.below(preface.length)] = (byte) dice.below(256);
        out.write(preface, 0, dice.oneIn(3) ? dice.below(preface.length) : preface.length);
        out.writeBytes(dice.bytes(dice.below(60)));
      }
      case 18 -> {
        // A valid preface, then wrong frames.
        out.writeBytes(PREFACE);
        out.writeBytes(frame(4, 0, 0, new byte[0]));
        int frames = dice.between(1, 6);
        for (int i = 0; i < frames; i++) {
          out.writeBytes(
              frame(
                  dice.oneOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 200),
                  dice.below(256),
                  dice.oneOf(0, 1, 2, 3, Integer.MAX_VALUE),
                  dice.bytes(dice.oneOf(0, 1, 4, 5, 6, 8, 100))));
        }
      }
      default -> {
        switch (dice.below(4)) {
          case 0 -> out.writeBytes(dice.bytes(dice.between(1, 500)));
          case 1 ->
              out.writeBytes(new byte[] {0x16, 3, 1, 0, (byte) 0xa5, 1, 0, 0, (byte) 0xa1, 3, 3});
          case 2 ->
              out.writeBytes(
                  "\r\n".repeat(dice.oneOf(1, 50, 3_000)).getBytes(StandardCharsets.ISO_8859_1));
          default ->
              out.writeBytes(
                  "GET".repeat(dice.oneOf(1, 3_000)).getBytes(StandardCharsets.ISO_8859_1));
        }
      }
    }
    return out.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    for (int i = 0; i < 4; i++) {
      frame[5 + i] = (byte) (stream >> (24 - 8 * i));
    }
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }
}
