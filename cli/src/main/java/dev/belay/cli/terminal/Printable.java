package dev.belay.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Makes text from tasks, workers or other people harmless for a terminal: it shows characters that
 * would move the cursor, change colours or turn the direction of writing.
 */
public final class Printable {

  private static final int DELETE = 0x7f;

  /** Unicode's pictures of control characters: U+241B shows an escape. */
  private static final int PICTURES = 0x2400;

  private static final int PICTURE_OF_DELETE = 0x2421;

  private static final int REPLACEMENT = 0xfffd;

  private Printable() {}

  /** On one line. */
  public static String line(String text) {
    return shown(text, false);
  }

  /** With its lines and tabs. */
  public static String lines(String text) {
    return shown(text, true);
  }

  /**
   * Treats UTF-8 output as {@link #lines} does.
   *
   * @param out gets whole characters at each flush
   */
  public static OutputStream stream(OutputStream out) {
    return new Shown(out);
  }

  /** Where a log goes: unchanged into a file or a pipe, harmless on a terminal. */
  public static OutputStream logs(CommandContext surroundings) {
    return surroundings.terminal() ? stream(surroundings.out()) : surroundings.out();
  }

  private static String shown(String text, boolean keepLines) {
    if (text.codePoints().noneMatch(Printable::acts)) {
      return text;
    }
    var shown = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> !keepLines && (c == '\n' || c == '\t' || c == '\r') ? ' ' : c)
        .map(c -> (keepLines && (c == '\n' || c == '\t')) || !acts(c) ? c : picture(c))
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  /** A terminal obeys it: control characters, and those that turn the direction of text. */
  private static boolean acts(int c) {
    return Character.isISOControl(c)
        || c == 0x061c
        || c == 0x200e
        || c == 0x200f
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }

  private static int picture(int c) {
    return c < ' ' ? PICTURES + c : c == DELETE ? PICTURE_OF_DELETE : REPLACEMENT;
  }

  private static final class Shown extends FilterOutputStream {
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

    Shown(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) {
      waiting.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      waiting.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      byte[] bytes = waiting.toByteArray();
      int whole = bytes.length - incompleteTail(bytes);
      waiting.reset();
      waiting.write(bytes, whole, bytes.length - whole);
      out.write(lines(new String(bytes, 0, whole, UTF_8)).getBytes(UTF_8));
      out.flush();
    }

    /** How many bytes at the end begin a character whose rest may still come. */
    private static int incompleteTail(byte[] bytes) {
      for (int back = 1; back <= Math.min(3, bytes.length); back++) {
        int b = bytes[bytes.length - back] & 0xff;
        if (b < 0x80) {
          return 0;
        }
        if (b >= 0xc0) {
          int needed = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
          return back < needed ? back : 0;
        }
      }
      return 0;
    }
  }
}
