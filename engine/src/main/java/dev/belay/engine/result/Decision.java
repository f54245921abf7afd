package dev.belay.engine.result;

import dev.belay.domain.settle.NextState;
import dev.belay.domain.settle.NextState.Category;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.RetryDecision;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.domain.task.TaskTransitions;
import dev.belay.engine.statement.Abort;
import dev.belay.engine.statement.Change;
import dev.belay.engine.statement.Change.AttemptEnd;
import dev.belay.engine.statement.Change.Exit;
import dev.belay.engine.statement.Change.Guard;
import dev.belay.engine.statement.Change.Times;
import dev.belay.engine.statement.ResultStatements.Late;
import dev.belay.engine.statement.ResultStatements.LockedTask;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the results of one dispatch do to its task, decided under the task's lock. */
record Decision(Answer answer, Optional<Change> change, Optional<Late> late) {

  private static final int REASON_MAX = 500;

  private static Decision nothing(Answer answer) {
    return new Decision(answer, Optional.empty(), Optional.empty());
  }

  static Decision of(
      Folded told, @Nullable LockedTask task, @Nullable Work work, RetryDecision retries) {
    if (task == null) {
      return nothing(Answer.VOID);
    }
    if (!task.isCurrent()) {
      return late(told, Answer.VOID);
    }
    if (!isSpeaker(told.any(), task)) {
      // A restarted worker reports an attempt that was given up: keep the outcome, because the
      // worker forgets it.
      return isOfItsWorker(told.any(), task) ? late(told, Answer.VOID) : nothing(Answer.VOID);
    }
    if (task.state().isActive() && !task.attemptEnded()) {
      return active(told, task, work, retries);
    }
    if (TaskTransitions.isGivenUp(task.state())
        && told.end().filter(end -> end.outcome().isSuccess()).isPresent()) {
      return lateSuccess(told, task);
    }
    // A start after the end must not look like a written one, because that would grant it.
    return late(told, told.end().isEmpty() ? Answer.VOID : Answer.DUPLICATE);
  }

  private static boolean isSpeaker(WorkerEvent event, LockedTask task) {
    return isOfItsWorker(event, task) && event.session().equals(task.session());
  }

  private static boolean isOfItsWorker(WorkerEvent event, LockedTask task) {
    return event.worker().equals(task.worker());
  }

  private static Decision active(
      Folded told, LockedTask task, @Nullable Work work, RetryDecision retries) {
    if (told.end().isEmpty()) {
      return task.state() == TaskState.RUNNING
          ? nothing(Answer.DUPLICATE)
          : applied(Change.started(guard(told, task), told.times()));
    }
    WorkerEvent.Ended end = told.end().get();
    Outcome outcome = end.outcome();
    boolean ran =
        end.execution().startedAtMs() > 0 || told.hasStarted() || outcome instanceof Outcome.Exited;
    RunPolicy policy = work == null ? RunPolicy.DEFAULT : work.policy();
    Abort abort = outcome.isSuccess() ? null : task.abort();
    NextState next =
        retries.decide(outcome, policy, abort == null ? null : abort.reason().word(), task.tried());
    boolean waits = next.to() == TaskState.PENDING || next.delay().isPositive();
    var over =
        new AttemptEnd(
            task.state() == TaskState.DISPATCHED && ran,
            waits ? next.delay() : null,
            next.category(),
            mayRunOn(outcome, policy),
            exit(end),
            abort == null ? null : abort.by());
    return applied(
        new Change(
            guard(told, task),
            next.to(),
            printable(abort == null ? next.reason() : abort.described(), REASON_MAX),
            told.times(),
            over));
  }

  /**
   * Whether the attempt failed by itself: its process did, or could not start. Nobody asked for its
   * end, and its exit code does not mean something else.
   */
  boolean isFailure(Folded told) {
    boolean tried =
        told.end()
            .map(WorkerEvent.Ended::outcome)
            .filter(end -> end instanceof Outcome.Exited || end instanceof Outcome.StartFailed)
            .isPresent();
    return tried && change.filter(Decision::isFailed).isPresent();
  }

  private static boolean isFailed(Change change) {
    return change.isOver()
        && change.askedBy() == null
        && switch (change.to()) {
          case FAILED, PENDING, BLOCKED -> true;
          case WAITING,
              APPROVAL_REQUIRED,
              SCHEDULED,
              DISPATCHED,
              RUNNING,
              DEFERRED,
              SUCCEEDED,
              TIMEOUT,
              CANCELLED,
              DENIED,
              OUTPUT_QUARANTINED,
              SKIPPED,
              UPSTREAM_FAILED ->
              false;
        };
  }

  private static Guard guard(Folded told, LockedTask task) {
    return new Guard(
        task.id(), told.any().dispatch(), Objects.requireNonNull(task.session()), task.state());
  }

  /** A lost attempt of a strict task may still run this long, whatever the task becomes. */
  private static @Nullable Duration mayRunOn(Outcome outcome, RunPolicy policy) {
    return outcome instanceof Outcome.Lost lost && policy.isStrict() && lost.mayRunOn().isPositive()
        ? lost.mayRunOn()
        : null;
  }

  /** The attempt was given up but not replaced yet, so its success counts. */
  private static Decision lateSuccess(Folded told, LockedTask task) {
    var over = new AttemptEnd(false, null, Category.NONE, null, Exit.UNKNOWN, null);
    var change =
        new Change(guard(told, task), TaskState.SUCCEEDED, "late_success", Times.UNKNOWN, over);
    return new Decision(
        Answer.APPLIED, Optional.of(change), Optional.of(new Late(told.attempt(), "exit_code: 0")));
  }

  private static Decision late(Folded told, Answer answer) {
    Optional<Late> late =
        told.end()
            .map(WorkerEvent.Ended::outcome)
            .filter(Outcome.Reported.class::isInstance)
            .map(outcome -> new Late(told.attempt(), printable(outcome.toString(), REASON_MAX)));
    return new Decision(answer, Optional.empty(), late);
  }

  private static Decision applied(Change change) {
    return new Decision(Answer.APPLIED, Optional.of(change), Optional.empty());
  }

  private static Exit exit(WorkerEvent.Ended end) {
    return end.outcome() instanceof Outcome.Exited(int code, int signal, boolean _)
        ? new Exit(code, signal > 0 ? Integer.valueOf(signal) : null, detail(end))
        : new Exit(null, null, detail(end));
  }

  static @Nullable String detail(WorkerEvent.Ended end) {
    String detail = end.execution().detail();
    return detail.isEmpty() ? null : printable(detail, Integer.MAX_VALUE);
  }

  /** PostgreSQL text rejects NUL. */
  private static String printable(String text, int max) {
    String clean = text.replace('\0', ' ');
    return clean.length() <= max ? clean : clean.substring(0, max);
  }
}
