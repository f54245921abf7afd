package dev.belay.domain.bulk;

/** What a bulk operation changes. */
public enum BulkTarget {
  TASKS,
  RUNS,
  DEAD_LETTERS
}
