package dev.belay.agent.logs;

import java.util.Arrays;

/** Cuts the bytes of one stream into lines, but never inside a valid UTF-8 character. */
final class LineSplitter {

  /** Receives the bytes of one line without its end. The splitter reuses the array. */
  interface Lines {
    void line(byte[] bytes, int length);
  }

  private final int maxBytes;
  private final Lines lines;
  private byte[] pending = new byte[128];
  private int length;

  /** Part of the current line is already out, so its end alone must not make an empty line. */
  private boolean begun;

  LineSplitter(int maxBytes, Lines lines) {
    this.maxBytes = maxBytes;
    this.lines = lines;
  }

  void write(byte[] data, int count) {
    for (int i = 0; i < count; i++) {
      if (data[i] == '\n') {
        endLine();
        continue;
      }
      if (length == maxBytes) {
        emitPart(length - incompleteTail());
      }
      if (length == pending.length) {
        pending = Arrays.copyOf(pending, Math.min(maxBytes, 2 * length));
      }
      pending[length++] = data[i];
    }
  }

  /** Emits an unfinished line, but not half of a character. */
  void quiet() {
    int whole = length - incompleteTail();
    if (whole > 0) {
      emitPart(whole);
    }
  }

  void close() {
    if (length > 0) {
      endLine();
    }
  }

  private void endLine() {
    int end = length > 0 && pending[length - 1] == '\r' ? length - 1 : length;
    if (end > 0 || !begun) {
      lines.line(pending, end);
    }
    length = 0;
    begun = false;
  }

  private void emitPart(int count) {
    lines.line(pending, count);
    System.arraycopy(pending, count, pending, 0, length - count);
    length -= count;
    begun = true;
  }

  /** How many bytes at the end begin a character whose rest may still come. */
  private int incompleteTail() {
    for (int back = 1; back <= Math.min(3, length - 1); back++) {
      int b = pending[length - back] & 0xff;
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
