package dev.belay.server.api;

import dev.belay.domain.steer.Selection;
import dev.belay.domain.steer.Steer;
import dev.belay.domain.task.TaskState;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request about one task. Each request has some of these fields.
 *
 * @param as the end that the task gets
 */
record SteerBody(
    String note,
    Selection selection,
    boolean dryRun,
    @Nullable TaskState as,
    @Nullable Integer priority) {

  /** It becomes a part of the reason, which is short. */
  private static final int NOTE_CHARS_MAX = 400;

  static final Set<String> NOTE = Set.of("note");
  static final Set<String> CLEAR = Set.of("note", "upstream", "downstream", "dry_run");
  static final Set<String> MARK = Set.of("note", "as");
  static final Set<String> PRIORITY = Set.of("note", "priority");

  /**
   * @param fields that the request may have
   */
  static SteerBody of(Call call, Set<String> fields) {
    var problems = new Problems("");
    var bytes = call.jsonBody();
    var reading = new Reading(problems);
    if (bytes.length > 0) {
      for (var entry : JsonText.body(bytes, problems).entries()) {
        if (fields.contains(entry.name())) {
          reading.take(entry);
        } else {
          problems.add(
              entry.at(),
              "unknown field; the request has "
                  + fields.stream().sorted().collect(Collectors.joining(", ")));
        }
      }
    }
    reading.require(fields);
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The request is not valid; nothing changed.");
    }
    return new SteerBody(
        reading.note,
        new Selection(reading.upstream, reading.downstream),
        reading.dryRun,
        reading.as,
        reading.priority);
  }

  /** The fields read so far. */
  private static final class Reading {
    private final Problems problems;
    private String note = "";
    private boolean upstream;
    private boolean downstream = true;
    private boolean dryRun;
    private @Nullable TaskState as;
    private @Nullable Integer priority;

    Reading(Problems problems) {
      this.problems = problems;
    }

    void take(Node.Entry entry) {
      switch (entry.name()) {
        case "note" -> note = note(entry);
        case "upstream" -> upstream = flag(entry);
        case "downstream" -> downstream = flag(entry);
        case "dry_run" -> dryRun = flag(entry);
        case "as" -> as = end(entry);
        case "priority" -> priority = priority(entry);
        default -> throw new IllegalStateException("no field " + entry.name());
      }
    }

    private String note(Node.Entry entry) {
      if (entry.value().value() instanceof String text && text.length() <= NOTE_CHARS_MAX) {
        return text.strip();
      }
      problems.add(entry.at(), "must be a text of at most " + NOTE_CHARS_MAX + " characters");
      return "";
    }

    private boolean flag(Node.Entry entry) {
      if (entry.value().value() instanceof Boolean given) {
        return given;
      }
      problems.add(entry.at(), "must be true or false");
      return false;
    }

    private @Nullable TaskState end(Node.Entry entry) {
      if (entry.value().value() instanceof String word) {
        switch (word) {
          case "succeeded" -> {
            return TaskState.SUCCEEDED;
          }
          case "failed" -> {
            return TaskState.FAILED;
          }
          default -> {}
        }
      }
      problems.add(entry.at(), "must be succeeded or failed");
      return null;
    }

    private @Nullable Integer priority(Node.Entry entry) {
      if (entry.value().value() instanceof Long number
          && number >= Steer.PRIORITY_MIN
          && number <= Steer.PRIORITY_MAX) {
        return number.intValue();
      }
      problems.add(
          entry.at(),
          "must be a whole number from " + Steer.PRIORITY_MIN + " to " + Steer.PRIORITY_MAX);
      return null;
    }

    void require(Set<String> fields) {
      boolean lacksEnd = fields.contains("as") && as == null;
      boolean lacksPriority = fields.contains("priority") && priority == null;
      if (problems.isEmpty() && (lacksEnd || lacksPriority)) {
        problems.add(
            new FieldPath(FieldPath.ROOT, lacksEnd ? "as" : "priority", 0, 0), "is missing");
      }
    }
  }
}
