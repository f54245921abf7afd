package dev.belay.domain.bulk;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a bulk operation does to each item. {@code engine.bulk.BulkActions} has the action of each.
 */
public enum BulkKind {
  /** Ends open tasks with the reason {@code cancelled}. */
  CANCEL(BulkTarget.TASKS),
  /** Runs tasks again that ended without success. */
  RETRY(BulkTarget.TASKS),
  /** Gives open tasks another priority. */
  PRIORITY(BulkTarget.TASKS),
  /** Cancels open runs. */
  CANCEL_RUNS(BulkTarget.RUNS),
  /** Retries the failed tasks of runs that ended without success. */
  RETRY_RUNS(BulkTarget.RUNS),
  /** Retries dead letters that nobody has retried. */
  RETRY_DEAD_LETTERS(BulkTarget.DEAD_LETTERS);

  /** The only state of a dead letter that may change. */
  private static final String OPEN = "OPEN";

  private final BulkTarget target;

  BulkKind(BulkTarget target) {
    this.target = target;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<BulkKind> ofWord(String word) {
    return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
  }

  public BulkTarget target() {
    return target;
  }

  /** The states in which an item may change; a filter names some of them. In order. */
  public Set<String> states() {
    return switch (this) {
      case CANCEL, PRIORITY -> names(TaskState.values(), state -> !state.isTerminal());
      case RETRY ->
          names(TaskState.values(), state -> state.isTerminal() && state != TaskState.SUCCEEDED);
      case CANCEL_RUNS -> names(RunState.values(), state -> !state.isTerminal());
      case RETRY_RUNS ->
          names(RunState.values(), state -> state.isTerminal() && state != RunState.SUCCEEDED);
      case RETRY_DEAD_LETTERS -> Set.of(OPEN);
    };
  }

  /** The states of a filter that names none. */
  public Set<String> usualStates() {
    return switch (this) {
      case CANCEL, PRIORITY, CANCEL_RUNS, RETRY_DEAD_LETTERS -> states();
      case RETRY -> Set.of(TaskState.FAILED.name(), TaskState.TIMEOUT.name());
      case RETRY_RUNS -> Set.of(RunState.FAILED.name());
    };
  }

  private static <E extends Enum<E>> Set<String> names(E[] all, Predicate<E> which) {
    return Arrays.stream(all)
        .filter(which)
        .map(Enum::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
