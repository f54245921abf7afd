package dev.belay.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.simulation.Observed;
import dev.belay.simulation.contract.Raced.Answered;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two stores that are asked the same, and must answer the same and write the same. */
final class Lockstep implements AutoCloseable {

  private static final int REMEMBERED_MAX = 12;

  private static final List<Function<Observed, List<String>>> KINDS =
      List.of(
          Observed::unfinished,
          Observed::oddAttempts,
          Observed::oddHistories,
          Observed::forgottenByCancel,
          Observed::overLimit);

  private final Stage right;
  private final Stage other;
  private final boolean comparesAnswers;
  private final Deque<String> calls = new ArrayDeque<>();
  private final Seen seenRight = new Seen();
  private final Seen seenOther = new Seen();

  /**
   * @param right the one that is right where they differ
   */
  Lockstep(Stage right, Stage other) {
    this(right, other, true);
  }

  /**
   * @param comparesAnswers false for calls about many tasks, whose order in an answer is the
   *     database's own affair: then only what was written counts
   */
  Lockstep(Stage right, Stage other, boolean comparesAnswers) {
    this.right = right;
    this.other = other;
    this.comparesAnswers = comparesAnswers;
  }

  /** Something that belongs to one store, for each of them. */
  record Both<T>(T right, T other) {}

  /** How far the histories were read. */
  private static final class Seen {
    private long task;
    private long run;
    private long recovery;

    List<String> more(Stage stage) {
      var lines = new ArrayList<String>();
      for (var change : stage.observed.taskChangesAfter(task)) {
        task = Math.max(task, change.id());
        lines.add(
            "%s %s %s %s %s %s %s %s"
                .formatted(
                    change.task(),
                    change.run(),
                    change.from(),
                    change.to(),
                    change.reason(),
                    change.actor(),
                    change.dispatch(),
                    change.at()));
      }
      for (var change : stage.observed.runChangesAfter(run)) {
        run = Math.max(run, change.id());
        lines.add("%s %s %s".formatted(change.run(), change.from(), change.to()));
      }
      var recoveries = new ArrayList<String>();
      for (var found : stage.observed.recoveriesAfter(recovery)) {
        recovery = Math.max(recovery, found.id());
        recoveries.add(
            "%s %s %s %s"
                .formatted(found.kind(), found.task(), found.sinceLastSign(), found.promised()));
      }
      // In which order one statement wrote several is the database's own affair.
      recoveries.sort(null);
      lines.addAll(recoveries);
      return lines;
    }
  }

  void step(Duration by) {
    remember("step " + by);
    right.clock.step(by);
    other.clock.step(by);
  }

  /** What both answered, or empty when both failed in the same way. */
  <T> Optional<T> ask(String what, Function<Stage, T> call) {
    remember(what);
    Answered<T> one = Answered.by(() -> call.apply(right));
    Answered<T> two = Answered.by(() -> call.apply(other));
    assertThat(kind(two)).as("%s", calls).isEqualTo(kind(one));
    if (comparesAnswers) {
      assertThat(two.value()).as("%s", calls).isEqualTo(one.value());
    }
    wroteTheSame();
    return Optional.ofNullable(one.value());
  }

  void tell(String what, Consumer<Stage> call) {
    ask(
        what,
        stage -> {
          call.accept(stage);
          return true;
        });
  }

  private static @Nullable String kind(Answered<?> answered) {
    var failure = answered.failure();
    return failure == null ? null : failure.getClass().getSimpleName();
  }

  /** What each of them holds for later; empty when both refused. */
  <T> Optional<Both<T>> hold(String what, Function<Stage, T> call) {
    remember(what);
    Answered<T> one = Answered.by(() -> call.apply(right));
    Answered<T> two = Answered.by(() -> call.apply(other));
    assertThat(kind(two)).as("%s", calls).isEqualTo(kind(one));
    return one.value() == null
        ? Optional.empty()
        : Optional.of(new Both<>(one.value(), Objects.requireNonNull(two.value())));
  }

  /** Each goes on with its own. */
  <T, A> void goOn(String what, Both<T> held, Function<T, A> call) {
    ask(what, stage -> call.apply(stage == right ? held.right() : held.other()));
  }

  private void wroteTheSame() {
    assertThat(seenOther.more(other)).as("%s", calls).isEqualTo(seenRight.more(right));
  }

  private void remember(String what) {
    calls.add(what);
    if (calls.size() > REMEMBERED_MAX) {
      calls.remove();
    }
  }

  @Override
  public void close() {
    try {
      for (var which : KINDS) {
        assertThat(lines(which, other)).isEqualTo(lines(which, right));
      }
    } finally {
      right.leave();
      other.leave();
    }
  }

  /** Marks have numbers of their own. */
  private static List<String> lines(Function<Observed, List<String>> which, Stage stage) {
    return which.apply(stage.observed).stream()
        .map(line -> line.replaceFirst("^mark \\d+", "mark"))
        .sorted()
        .toList();
  }
}
