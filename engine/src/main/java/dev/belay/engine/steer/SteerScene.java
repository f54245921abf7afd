package dev.belay.engine.steer;

import dev.belay.domain.admission.Admission;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.plan.Graph;
import dev.belay.domain.run.RunState;
import dev.belay.domain.run.RunTransitions;
import dev.belay.domain.settle.AbortReason;
import dev.belay.domain.steer.Reopening;
import dev.belay.domain.steer.RunTask;
import dev.belay.domain.steer.Selection;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.AttemptKey;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.TaskSteerStatements;
import dev.belay.engine.statement.TaskSteerStatements.LockedRun;
import dev.belay.engine.statement.TaskSteerStatements.SteeredAttempt;
import dev.belay.engine.statement.TaskSteerStatements.SteeredTask;
import dev.belay.engine.steer.TaskSteer.Changed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one request finds under its locks, and the writes that it may make. Lives for one try of one
 * transaction.
 */
final class SteerScene {

  /** Why and by whom. */
  record Wish(String note, String actor) {
    String because(String word) {
      return note.isEmpty() ? word : word + ": " + note;
    }
  }

  /**
   * The run around the task.
   *
   * @param tasks all of them, locked
   */
  record Around(RunId id, Graph graph, List<RunTask> tasks, LockedRun run) {

    boolean hasEnded() {
      return run.state().isTerminal();
    }

    /** What runs in it now would be ended at once. */
    boolean isBeingEnded() {
      return !hasEnded() && run.ending() != null;
    }

    List<RunTask> select(Selection selection, RunTask task) {
      return selection.of(graph, task, tasks);
    }

    /** Those tasks and everything after them. */
    List<RunTask> after(List<RunTask> before) {
      return Selection.after(graph, before, tasks);
    }
  }

  /**
   * @param toTell its worker holds a dispatch that must end
   * @param ended the state that the task entered, if that is an end
   * @param changed the leader has something to do
   */
  record Outcome(
      TaskSteer answer, @Nullable WorkerId toTell, @Nullable TaskState ended, boolean changed) {
    static Outcome nothing(TaskSteer answer) {
      return new Outcome(answer, null, null, false);
    }

    static Outcome no(String why) {
      return nothing(new TaskSteer.Refused(why));
    }
  }

  private final Statements statements;
  private final Wish wish;
  private final SteeredTask found;
  private final @Nullable Around around;

  private SteerScene(Statements statements, Wish wish, SteeredTask found, @Nullable Around around) {
    this.statements = statements;
    this.wish = wish;
    this.found = found;
    this.around = around;
  }

  /** Locks the task alone; empty when it is gone. */
  static Optional<SteerScene> ofTask(Statements statements, TaskId task, Wish wish) {
    return statements
        .taskSteer()
        .lock(task)
        .map(locked -> new SteerScene(statements, wish, locked, null));
  }

  /** Locks the tasks of its run, then the run; empty when they are gone. */
  static Optional<SteerScene> ofRun(
      Statements statements, TaskId task, Wish wish, RunId run, Graph graph) {
    List<RunTask> tasks = statements.taskSteer().lockTasksOfRun(run);
    return statements
        .taskSteer()
        .lockRun(run)
        .flatMap(
            locked ->
                statements
                    .taskSteer()
                    .lock(task)
                    .map(
                        found ->
                            new SteerScene(
                                statements, wish, found, new Around(run, graph, tasks, locked))));
  }

  SteeredTask found() {
    return found;
  }

  RunTask task() {
    return found.task();
  }

  TaskState state() {
    return found.state();
  }

  /** Null when it has no run, or the request is about nothing else in it. */
  @Nullable Around around() {
    return around;
  }

  private TaskSteerStatements steer() {
    return statements.taskSteer();
  }

  Outcome unchanged() {
    return Outcome.nothing(new TaskSteer.Unchanged(state()));
  }

  Outcome done(List<Changed> tasks, boolean reopened) {
    TaskState to = tasks.getFirst().to();
    return new Outcome(
        new TaskSteer.Done(tasks, found.run(), reopened), null, to.isTerminal() ? to : null, true);
  }

  Outcome beingCancelled() {
    return Outcome.no(
        "The run "
            + found.run()
            + " is being cancelled. Nothing changed. Wait until it has ended, and try again.");
  }

  /** Asks its attempt to end. The first reason wins. */
  Outcome abort(AbortReason reason, String word) {
    SteeredAttempt attempt = Objects.requireNonNull(found.attempt());
    TaskState then = reason.leadsTo();
    var asked = new Outcome(new TaskSteer.Asked(state(), then), attempt.worker(), null, false);
    if (reason.word().equals(attempt.abortReason())) {
      return asked; // tells its worker again: the first hint may have been lost
    }
    if (attempt.abortReason() != null) {
      return Outcome.no(
          "The task is "
              + state()
              + ", and its attempt was asked to end before ("
              + attempt.abortReason()
              + "). Nothing changed. Wait until it has ended, and try again.");
    }
    statements
        .steer()
        .abortDispatch(
            new AttemptKey(task().id(), attempt.dispatch()),
            new Abort(reason, wish.actor(), wish.note()));
    steer().remark(task().id(), state(), wish.because("asked to end, " + word), wish.actor());
    return asked;
  }

  /** Moves the task on, from an end through PENDING. */
  void move(TaskState from, TaskState to, String word) {
    TaskTransitions.require(from, to);
    if (from.isTerminal()) {
      reopenAlone(to, word);
      return;
    }
    if (!steer().move(task().id(), from, to, wish.because(word), wish.actor())) {
      throw new IllegalStateException("a locked task changed: " + task().id());
    }
  }

  /** The task itself asks for admission in the next generation. */
  void reopenAlone(String word) {
    reopenAlone(Admission.askAgain(word).state(), word);
  }

  private void reopenAlone(TaskState to, String word) {
    TaskTransitions.require(state(), to);
    steer().reopen(List.of(task()), to, wish.because(word), wish.actor());
  }

  void reopen(Reopening reopening, String word) {
    reopening.ended().forEach(task -> TaskTransitions.require(task.state(), TaskState.WAITING));
    if (!reopening.ended().isEmpty()) {
      steer().reopen(reopening.ended(), TaskState.WAITING, wish.because(word), wish.actor());
    }
    if (!reopening.waiting().isEmpty()) {
      steer().renew(reopening.waiting().stream().map(RunTask::id).toList());
    }
  }

  /** An ended run waits for its turn again, and an open one is planned again. */
  void planAgain(String word) {
    Around run = Objects.requireNonNull(around);
    if (run.hasEnded()) {
      RunTransitions.require(run.run().state(), RunState.QUEUED);
      steer().requeueRun(run.id(), run.run().state(), wish.because(word), wish.actor());
    } else {
      statements.plans().mark(List.of(run.id()));
    }
  }

  void prioritize(int priority) {
    String reason = wish.because("priority " + found.priority() + " -> " + priority);
    steer().prioritize(task(), priority, reason, wish.actor());
  }
}
