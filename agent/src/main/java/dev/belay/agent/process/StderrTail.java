package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The last bytes of stderr, for an outcome's detail. The pump thread writes, then others read. */
final class StderrTail {

  private static final int MAX_BYTES = 4 * 1024;

  private byte[] kept = new byte[0];
  private boolean cut;

  synchronized void write(byte[] data, int length) {
    int old = Math.min(kept.length, Math.max(0, MAX_BYTES - length));
    int fresh = Math.min(length, MAX_BYTES);
    cut |= old < kept.length || fresh < length;
    byte[] next = Arrays.copyOfRange(kept, kept.length - old, kept.length + fresh);
    System.arraycopy(data, length - fresh, next, old, fresh);
    kept = next;
  }

  /** Whole lines if some were cut off; at most 4 KiB of valid UTF-8 without NUL. */
  synchronized String text() {
    int from = cut ? afterFirstNewline() : 0;
    String text = new String(kept, from, kept.length - from, UTF_8).replace('\0', '\uFFFD').strip();
    // A replacement character takes three bytes in UTF-8.
    while (text.getBytes(UTF_8).length > MAX_BYTES) {
      text = text.substring(Math.max(1, text.length() / 8));
    }
    return Character.isLowSurrogate(text.isEmpty() ? 'x' : text.charAt(0))
        ? text.substring(1)
        : text;
  }

  private int afterFirstNewline() {
    for (int i = 0; i < kept.length - 1; i++) {
      if (kept[i] == '\n') {
        return i + 1;
      }
    }
    return 0;
  }
}
