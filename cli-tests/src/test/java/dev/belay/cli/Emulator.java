package dev.belay.cli;

import dev.belay.cli.terminal.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The part of a terminal that {@code belay run} uses: it wraps wide lines, scrolls, and keeps lines
 * that left the screen at its top. A frame is the screen at each erasure of everything below the
 * cursor. A resize to fewer columns wraps the lines again, as terminals do.
 */
final class Emulator {

  private static final Pattern ESCAPE = Pattern.compile("\u001b\\[([0-9;?]*)([A-Za-z])");

  private final List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
  private final List<List<String>> frames = new ArrayList<>();
  private int rows;
  private int columns;
  private int row;
  private int column;
  private int wraps;
  private String unfinished = "";

  Emulator(int rows, int columns) {
    this.rows = rows;
    this.columns = columns;
  }

  synchronized void write(String text) {
    String all = unfinished + text;
    int at = 0;
    while (at < all.length()) {
      char next = all.charAt(at);
      if (next == '\u001b') {
        var escape = ESCAPE.matcher(all).region(at, all.length());
        if (!escape.lookingAt()) {
          break;
        }
        command(escape.group(1), escape.group(2).charAt(0));
        at = escape.end();
      } else {
        int point = all.codePointAt(at);
        put(point);
        at += Character.charCount(point);
      }
    }
    unfinished = all.substring(at);
  }

  synchronized void resize(int newRows, int newColumns) {
    rows = newRows;
    columns = newColumns;
    int offset = lines.size() - row;
    var wrapped = new ArrayList<StringBuilder>();
    for (var line : lines) {
      String left = line.toString().stripTrailing();
      while (Width.of(left) > columns) {
        int cut = left.offsetByCodePoints(0, columns);
        wrapped.add(new StringBuilder(left.substring(0, cut)));
        left = left.substring(cut);
      }
      wrapped.add(new StringBuilder(left));
    }
    lines.clear();
    lines.addAll(wrapped);
    row = lines.size() - offset;
  }

  /** Everything that was ever shown, the screen last. */
  synchronized List<String> all() {
    return lines.stream().map(line -> line.toString().stripTrailing()).toList();
  }

  synchronized List<List<String>> frames() {
    return List.copyOf(frames);
  }

  synchronized int wraps() {
    return wraps;
  }

  private void command(String numbers, char command) {
    switch (command) {
      case 'A' -> row = Math.max(top(), row - (numbers.isEmpty() ? 1 : Integer.parseInt(numbers)));
      case 'K' -> lines.get(row).setLength(Math.min(column, lines.get(row).length()));
      case 'J' -> {
        lines.get(row).setLength(Math.min(column, lines.get(row).length()));
        while (lines.size() > row + 1) {
          lines.removeLast();
        }
        frames.add(all());
      }
      default -> {
        // Ignores colours.
      }
    }
  }

  private void put(int point) {
    switch (point) {
      case '\r' -> column = 0;
      case '\n' -> down();
      default -> {
        int width = Width.of(Character.toString(point));
        if (shownWidth() + width > columns) {
          wraps++;
          column = 0;
          down();
        }
        var line = lines.get(row);
        while (line.length() < column) {
          line.append(' ');
        }
        String text = Character.toString(point);
        line.replace(column, Math.min(line.length(), column + text.length()), text);
        column += text.length();
      }
    }
  }

  private int shownWidth() {
    var line = lines.get(row);
    return Width.of(line.substring(0, Math.min(column, line.length())));
  }

  private void down() {
    row++;
    if (row == lines.size()) {
      lines.add(new StringBuilder());
    }
  }

  private int top() {
    return Math.max(0, lines.size() - rows);
  }
}
