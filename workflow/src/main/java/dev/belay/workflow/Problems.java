package dev.belay.workflow;

import dev.belay.workflow.tree.Place;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The problems of one document, each once: a value behind an anchor is read many times but reported
 * once. Keeps the first ones by place, to bound memory.
 */
public final class Problems {

  static final int REPORTED_MAX = 100;

  private final String document;
  private final TreeSet<Problem> first =
      new TreeSet<>(
          Comparator.comparingLong((Problem problem) -> problem.at().order())
              .thenComparing(Problem::message));

  public Problems(String document) {
    this.document = document;
  }

  public void add(Place at, String message) {
    first.add(new Problem(document, at, message));
    if (first.size() > REPORTED_MAX) {
      first.pollLast();
    }
  }

  public boolean isEmpty() {
    return first.isEmpty();
  }

  /** Later problems of the document will not be reported. */
  public boolean isFull() {
    return first.size() == REPORTED_MAX;
  }

  public List<Problem> list() {
    return List.copyOf(first);
  }
}
