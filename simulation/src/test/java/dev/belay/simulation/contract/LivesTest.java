package dev.belay.simulation.contract;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.task.TaskState;
import dev.belay.simulation.Observed.Attempt;
import dev.belay.simulation.Observed.TaskChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Random lives read the same from either way of writing: the memory store logs every step of a
 * task, PostgreSQL derives the usual ones from the task's row. Both have the same ids and clock.
 */
class LivesTest {

  private static final int LIVES = Integer.getInteger("belay.lives", 400);
  private static final long FIRST_SEED = Long.getLong("belay.lives.seed", 2);
  private static final int LIVES_MAX = Math.max(LIVES, 5_000);
  private static final int CALLS = 500;
  private static final int BREADTH = 12;

  private static final Set<String> NEEDED =
      Set.of(
          "SUCCEEDED",
          "FAILED",
          "CANCELLED",
          "TIMEOUT",
          "UPSTREAM_FAILED",
          "claimed again",
          "ended by its deadline",
          "ended late",
          "ended without a start",
          "lost",
          "of a later generation",
          "reopened",
          "tried again when due");

  private static final PostgresGround POSTGRES = new PostgresGround();
  private static final MemoryGround MEMORY = new MemoryGround();

  /** How often the lives did what they must do to mean something. */
  private final Map<String, Integer> occurred = new TreeMap<>();

  @AfterAll
  static void close() {
    POSTGRES.close();
  }

  @Test
  void every_life_reads_as_it_was_logged() {
    int lives = 0;
    for (long seed = FIRST_SEED; lives < LIVES || lacks(lives); seed++) {
      var derives = POSTGRES.open();
      var logs = MEMORY.open();
      try (var stores = new Lockstep(derives, logs, false)) {
        var chatter = new Chatter(stores, seed, BREADTH);
        chatter.talk(CALLS);
        lives += compare(derives, logs, chatter.dispatches());
      } catch (AssertionError | RuntimeException failed) {
        failed.addSuppressed(new IllegalStateException("seed " + seed));
        throw failed;
      }
    }
    System.out.println("lives: " + lives + ", " + occurred);
    assertThat(occurred.keySet()).containsAll(NEEDED);
  }

  /** A few lives may miss something rare: then it takes some more. */
  private boolean lacks(int lives) {
    return lives < LIVES_MAX && !occurred.keySet().containsAll(NEEDED);
  }

  /** Compares everything that can be read of all tasks; returns how many there are. */
  private int compare(Stage derives, Stage logs, List<DispatchId> dispatches) {
    var logged = byTask(logs);
    var derived = byTask(derives);
    assertThat(derived.keySet()).isEqualTo(logged.keySet());
    logged.forEach((task, steps) -> assertThat(derived.get(task)).as("%s", task).isEqualTo(steps));
    var attempts = derives.observed.attempts(dispatches);
    assertThat(attempts).isEqualTo(logs.observed.attempts(dispatches));
    var attemptsOf = attempts.stream().collect(groupingBy(each -> each.claimed().task()));
    logged.forEach((task, steps) -> compare(steps, attemptsOf.getOrDefault(task, List.of())));
    return logged.size();
  }

  /** A step as any reader sees it. */
  private record Shown(
      @Nullable TaskState from,
      TaskState to,
      String reason,
      String actor,
      @Nullable DispatchId dispatch,
      Instant at) {

    /** A remark begins and ends in the same state. */
    boolean enters(TaskState state) {
      return to == state && from != state;
    }
  }

  private static Map<TaskId, List<Shown>> byTask(Stage stage) {
    Map<TaskId, List<Shown>> steps = new TreeMap<>();
    for (TaskChange step : stage.observed.taskChangesAfter(0)) {
      steps
          .computeIfAbsent(step.task(), first -> new ArrayList<>())
          .add(
              new Shown(
                  step.from(), step.to(), step.reason(), step.actor(), step.dispatch(), step.at()));
    }
    return steps;
  }

  /** The attempts of a task are the dispatches in its log, in that order and with those times. */
  private void compare(List<Shown> steps, List<Attempt> attempts) {
    var claims = steps.stream().filter(step -> step.enters(TaskState.DISPATCHED)).toList();
    var inOrder =
        attempts.stream().sorted(Comparator.comparingInt(each -> each.claimed().number())).toList();
    assertThat(inOrder.stream().map(Attempt::dispatch).toList())
        .isEqualTo(claims.stream().map(Shown::dispatch).toList());
    for (int i = 0; i < claims.size(); i++) {
      var attempt = inOrder.get(i);
      assertThat(attempt.claimed().number()).isEqualTo(i + 1);
      assertThat(attempt.claimed().dispatchedAt()).isEqualTo(claims.get(i).at());
      var starts =
          steps.stream()
              .filter(step -> step.enters(TaskState.RUNNING))
              .filter(step -> attempt.dispatch().equals(step.dispatch()))
              .map(Shown::at)
              .toList();
      assertThat(starts)
          .isEqualTo(attempt.startedAt() == null ? List.of() : List.of(attempt.startedAt()));
      note(attempt);
    }
    for (int i = 1; i < steps.size(); i++) {
      assertThat(steps.get(i).from()).isEqualTo(steps.get(i - 1).to());
      note(steps.get(i - 1), steps.get(i));
    }
    note(steps.getLast().to().name());
  }

  private void note(Attempt attempt) {
    if (attempt.claimed().number() > 1) {
      note("claimed again");
    }
    if (attempt.claimed().generation() > 1) {
      note("of a later generation");
    }
    if (attempt.lateOutcome() != null) {
      note("ended late");
    }
    if (attempt.ended() && attempt.startedAt() == null) {
      note("ended without a start");
    }
  }

  private void note(Shown before, Shown step) {
    if (before.to().isTerminal()) {
      note("reopened");
    }
    if (step.reason().equals("due")) {
      note("tried again when due");
    }
    if (step.reason().contains("deadline")) {
      note("ended by its deadline");
    }
    if (step.reason().contains("lost") || step.reason().contains("worker_restarted")) {
      note("lost");
    }
  }

  private void note(String what) {
    occurred.merge(what, 1, Integer::sum);
  }
}
