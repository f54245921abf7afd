import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Shows what a person saw in a terminal, from the bytes that script(1) recorded.
 *
 * <p>{@code Frames FILE COLUMNS ROWS HEADING [TEXT]}: prints {@code frames=N wraps=N piled=N}, then
 * the last frame that contains TEXT, or without TEXT the terminal's final content. A frame is piled
 * when more than one of its lines starts with HEADING.
 */
public final class Frames {
  private static final Pattern ESCAPE = Pattern.compile("\u001b\\[([0-9;?]*)([A-Za-z])");

  private final List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
  private final List<List<String>> frames = new ArrayList<>();
  private final int columns;
  private final int rows;
  private int row;
  private int column;
  private int wraps;
  private int wrapsInFrames;

  private Frames(int columns, int rows) {
    this.columns = columns;
    this.rows = rows;
  }

  public static void main(String[] args) throws Exception {
    var terminal = new Frames(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    var text = new String(Files.readAllBytes(Path.of(args[0])), StandardCharsets.UTF_8);
    terminal.write(text.replaceFirst("^Script started[^\n]*\n", ""));
    long piled =
        terminal.frames.stream()
            .filter(frame -> frame.stream().filter(line -> line.startsWith(args[3])).count() > 1)
            .count();
    System.out.printf(
        "frames=%d wraps=%d piled=%d%n", terminal.frames.size(), terminal.wrapsInFrames, piled);
    var shown = args.length > 4 ? List.<String>of() : terminal.all();
    for (var frame : terminal.frames) {
      if (args.length > 4 && frame.stream().anyMatch(line -> line.contains(args[4]))) {
        shown = frame;
      }
    }
    shown.forEach(System.out::println);
  }

  private void write(String all) {
    int at = 0;
    while (at < all.length()) {
      var escape = ESCAPE.matcher(all).region(at, all.length());
      if (all.charAt(at) == '\u001b' && escape.lookingAt()) {
        command(escape.group(1), escape.group(2).charAt(0));
        at = escape.end();
      } else {
        int point = all.codePointAt(at);
        put(point);
        at += Character.charCount(point);
      }
    }
  }

  private void command(String numbers, char command) {
    if (command == 'A') {
      row =
          Math.max(
              Math.max(0, lines.size() - rows),
              row - (numbers.isEmpty() ? 1 : Integer.parseInt(numbers)));
    } else if (command == 'K' || command == 'J') {
      lines.get(row).setLength(Math.min(column, lines.get(row).length()));
      if (command == 'J') {
        while (lines.size() > row + 1) {
          lines.removeLast();
        }
        frames.add(all());
        wrapsInFrames = wraps;
      }
    }
  }

  private void put(int point) {
    if (point == '\r') {
      column = 0;
    } else if (point == '\n') {
      down();
    } else if (point >= ' ') {
      if (column >= columns) {
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

  private void down() {
    row++;
    if (row == lines.size()) {
      lines.add(new StringBuilder());
    }
  }

  private List<String> all() {
    return lines.stream().map(line -> line.toString().stripTrailing()).toList();
  }
}
