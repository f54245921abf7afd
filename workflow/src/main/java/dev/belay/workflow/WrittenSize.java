package dev.belay.workflow;

import dev.belay.workflow.tree.Node;

/**
 * How large a workflow is with its aliases and defaults written out. A spec has them written out,
 * so a small file can have a spec that no memory holds.
 */
final class WrittenSize {

  /**
   * Room for the largest tasks ({@link WorkflowChecks#TASKS_CHARS_MAX}) and what is beside them.
   */
  static final long CHARS_MAX = 30_000_000;

  /** Quotes and commas; as an object, a value takes more. */
  private static final int CHARS_PER_VALUE = 16;

  private WrittenSize() {}

  /** About as many characters as the spec has as JSON. */
  static long of(Value.Fields file) {
    Value.Fields defaults = file.find("defaults", Value.Fields.class);
    Value.Items tasks = file.find("tasks", Value.Items.class);
    long repeated =
        defaults == null || tasks == null ? 0 : of(defaults.node()) * tasks.items().size();
    return of(file.node()) + repeated;
  }

  private static long of(Node node) {
    return switch (node) {
      case Node.Scalar scalar -> CHARS_PER_VALUE + scalar.text().length();
      case Node.Sequence list ->
          CHARS_PER_VALUE + list.items().stream().mapToLong(WrittenSize::of).sum();
      case Node.Mapping mapping ->
          CHARS_PER_VALUE
              + mapping.entries().stream()
                  .mapToLong(entry -> entry.name().length() + of(entry.value()))
                  .sum();
    };
  }
}
