package dev.belay.domain.bulk;

import dev.belay.domain.run.RunState;
import dev.belay.domain.task.TaskState;
import java.util.Arrays;
import java.util.Collection;
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
  CANCEL(
      BulkTarget.TASKS, tasks(state -> !state.isTerminal()), tasks(state -> !state.isTerminal())),
  /** Runs tasks again that ended without success. */
  RETRY(
      BulkTarget.TASKS,
      tasks(state -> state.isTerminal() && state != TaskState.SUCCEEDED),
      Set.of(TaskState.FAILED.name(), TaskState.TIMEOUT.name())),
  /** Gives open tasks another priority. */
  PRIORITY(
      BulkTarget.TASKS, tasks(state -> !state.isTerminal()), tasks(state -> !state.isTerminal())),
  /** Cancels open runs. */
  CANCEL_RUNS(
      BulkTarget.RUNS, runs(state -> !state.isTerminal()), runs(state -> !state.isTerminal())),
  /** Retries the failed tasks of runs that ended without success. */
  RETRY_RUNS(
      BulkTarget.RUNS,
      runs(state -> state.isTerminal() && state != RunState.SUCCEEDED),
      Set.of(RunState.FAILED.name()));

  private final BulkTarget target;
  private final Set<String> states;
  private final Set<String> usual;

  BulkKind(BulkTarget target, Set<String> states, Set<String> usual) {
    this.target = target;
    this.states = states;
    this.usual = usual;
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

  /** The states in which an item may change; a filter names some of them. */
  public Set<String> states() {
    return new TreeSet<>(states);
  }

  /** The states of a filter that names none. */
  public Set<String> usualStates() {
    return new TreeSet<>(usual);
  }

  private static Set<String> tasks(Predicate<TaskState> which) {
    return names(Arrays.asList(TaskState.values()), which);
  }

  private static Set<String> runs(Predicate<RunState> which) {
    return names(Arrays.asList(RunState.values()), which);
  }

  private static <E extends Enum<E>> Set<String> names(Collection<E> all, Predicate<E> which) {
    return all.stream().filter(which).map(Enum::name).collect(Collectors.toUnmodifiableSet());
  }
}
