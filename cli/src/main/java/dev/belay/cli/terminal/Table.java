package dev.belay.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows in aligned columns, with a heading, two spaces apart. */
public final class Table {

  private static final int CELL_MAX = 80;

  private final List<String> heading;
  private final List<List<Cell>> rows = new ArrayList<>();

  public Table(String... heading) {
    this.heading = List.of(heading);
  }

  /**
   * Text of one column; the paint adds no visible character.
   *
   * @param max longer text is cut
   */
  public record Cell(String text, UnaryOperator<String> paint, int max) {
    public Cell {
      text = Style.shorten(Style.clean(text), max);
    }

    public Cell(String text, UnaryOperator<String> paint) {
      this(text, paint, CELL_MAX);
    }

    /** For the last column, which is never cut. */
    public static Cell whole(String text) {
      return new Cell(text, UnaryOperator.identity(), Integer.MAX_VALUE);
    }

    public static Cell of(String text) {
      return new Cell(text, UnaryOperator.identity());
    }

    String padded(int width) {
      return paint.apply(text) + " ".repeat(width - length(text));
    }
  }

  public void add(Cell... row) {
    if (row.length != heading.size()) {
      throw new IllegalArgumentException("a row has as many cells as the heading");
    }
    rows.add(List.of(row));
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  public List<String> lines(Style style) {
    int[] widths = new int[heading.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = length(heading.get(column));
      for (var row : rows) {
        widths[column] = Math.max(widths[column], length(row.get(column).text()));
      }
    }
    var lines = new ArrayList<String>();
    lines.add(line(heading.stream().map(title -> new Cell(title, style::bold)).toList(), widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    return lines;
  }

  private static String line(List<Cell> row, int[] widths) {
    var line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      line.append(column == 0 ? "" : "  ").append(row.get(column).padded(widths[column]));
    }
    return line.toString().stripTrailing();
  }

  private static int length(String text) {
    return Width.of(text);
  }
}
