package dev.belay.workflow;

import dev.belay.workflow.tree.Place;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * The problems found in one document, each once: what stands behind an anchor is read many times
 * but wrong only once. Keeps the first ones by place, so that memory is bounded.
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

  /** What comes later in the document will not be reported any more. */
  public boolean isFull() {
    return first.size() == REPORTED_MAX;
  }

  public List<Problem> list() {
    return List.copyOf(first);
  }
}
