package dev.belay.simulation;

import dev.belay.domain.deadletter.DeadLetterReason;
import dev.belay.domain.id.QueueId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.engine.statement.DeadLetterStatements.Hopeless;
import dev.belay.simulation.Coverage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Each generation of a task that was given up has one dead letter, in the commit that ended it, and
 * no other has one. No task is given up before it has waited for its time.
 */
final class GivenUps {

  /** How long a task waits in a task queue that nothing can serve. */
  static final Duration PATIENCE = Duration.ofSeconds(8);

  private final Observed observed;
  private final World world;
  private final Map<TaskId, Map<DeadLetterReason, Integer>> expected = new HashMap<>();
  private final Map<TaskId, Instant> scheduledAt = new HashMap<>();

  GivenUps(Observed observed, World world) {
    this.observed = observed;
    this.world = world;
  }

  /** Nothing serves these task queues, and nothing ever did. */
  static List<Hopeless> hopeless(Collection<QueueId> queues) {
    return queues.stream()
        .map(
            id ->
                new Hopeless(id, DeadLetterReason.NO_WORKERS, "simulated", Instant.EPOCH, PATIENCE))
        .toList();
  }

  void note(Observed.TaskChange change) {
    if (change.to() == TaskState.SCHEDULED && change.from() != TaskState.SCHEDULED) {
      scheduledAt.put(change.task(), change.at());
    }
    reason(change)
        .ifPresent(
            reason -> {
              world.coverage.count(Kind.DEAD_LETTER, reason.word());
              expected
                  .computeIfAbsent(change.task(), first -> new TreeMap<>())
                  .merge(reason, 1, Integer::sum);
              Instant waits = scheduledAt.get(change.task());
              Invariants.unless(
                  !reason.isUnplaceable()
                      || (waits != null && !waits.plus(PATIENCE).isAfter(change.at())),
                  Invariant.ONE_DEAD_LETTER,
                  () -> "given up early, it waits since " + waits + ": " + change);
            });
  }

  private static Optional<DeadLetterReason> reason(Observed.TaskChange change) {
    return change.to() == TaskState.FAILED
        ? DeadLetterReason.of(Expected.reason(change.reason()))
        : Optional.empty();
  }

  void check(Collection<TaskId> changed) {
    Map<TaskId, Map<DeadLetterReason, Integer>> found = new HashMap<>();
    List<Observed.DeadLetter> letters = observed.deadLetters(changed);
    for (var letter : letters) {
      found
          .computeIfAbsent(letter.task(), first -> new TreeMap<>())
          .merge(letter.reason(), 1, Integer::sum);
    }
    for (TaskId task : changed) {
      var wanted = expected.getOrDefault(task, Map.of());
      var there = found.getOrDefault(task, Map.of());
      Invariants.unless(
          wanted.equals(there),
          Invariant.ONE_DEAD_LETTER,
          () -> "%s was given up %s, but its dead letters are %s".formatted(task, wanted, there));
    }
  }
}
