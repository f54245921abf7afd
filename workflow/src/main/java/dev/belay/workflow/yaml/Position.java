package dev.belay.workflow.yaml;

import java.util.Comparator;

/** A place in a file; line and column count from 1, columns in characters. */
public record Position(int line, int column) implements Comparable<Position> {

  public static final Position START = new Position(1, 1);

  private static final Comparator<Position> ORDER =
      Comparator.comparingInt(Position::line).thenComparingInt(Position::column);

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
