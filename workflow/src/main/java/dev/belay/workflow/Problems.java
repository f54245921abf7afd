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

  /** Twice as many as are reported: the same place may be read again behind an anchor. */
  private static final int HINTS_MAX = 2 * REPORTED_MAX;

  private final String document;
  private int hints;
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

  /**
   * Whether to look for what the user meant. A hostile document has far more problems than are
   * reported, and comparing a name with all known ones takes time.
   */
  boolean takesHint() {
    return ++hints <= HINTS_MAX;
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
