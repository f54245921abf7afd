package dev.belay.workflow;

import dev.belay.workflow.yaml.Position;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The problems found in one file, each once: what stands behind an anchor is read many times but
 * wrong only once. Keeps the first ones by position, so that memory is bounded.
 */
final class Problems {

  static final int REPORTED_MAX = 100;

  private final String file;
  private final TreeSet<Problem> first =
      new TreeSet<>(Comparator.comparing(Problem::at).thenComparing(Problem::message));

  Problems(String file) {
    this.file = file;
  }

  void add(Position at, String message) {
    first.add(new Problem(file, at.line(), at.column(), message));
    if (first.size() > REPORTED_MAX) {
      first.pollLast();
    }
  }

  boolean isEmpty() {
    return first.isEmpty();
  }

  List<Problem> list() {
    return List.copyOf(first);
  }
}
