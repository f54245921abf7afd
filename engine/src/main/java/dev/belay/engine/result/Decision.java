package dev.belay.engine.result;

import dev.belay.domain.settle.Judge;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.Verdict;
import dev.belay.domain.settle.Verdict.Category;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the reports on one dispatch do to its task, seen under the task's lock. */
record Decision(Answer answer, Optional<Change> change, Optional<Late> late) {

  private static final int REASON_MAX = 500;

  private static Decision nothing(Answer answer) {
    return new Decision(answer, Optional.empty(), Optional.empty());
  }

  static Decision of(Folded reports, @Nullable LockedTask task, @Nullable Work work, Judge judge) {
    if (task == null) {
      return nothing(Answer.VOID);
    }
    if (!task.isCurrent()) {
      return late(reports, Answer.VOID);
    }
    if (!isSpeaker(reports.any(), task)) {
      // A restarted worker brings the outcome of an attempt that was given up meanwhile: it will
      // forget it, so it is kept here.
      return isOfItsWorker(reports.any(), task) ? late(reports, Answer.VOID) : nothing(Answer.VOID);
    }
    if (!task.ofGeneration()) {
      // The task was retried since: what an earlier generation did ends nothing in this one.
      return late(reports, Answer.VOID);
    }
    if (task.state().isActive() && !task.attemptEnded()) {
      return active(reports, task, work, judge);
    }
    boolean waitsAgain = task.state() == TaskState.PENDING || task.state() == TaskState.SCHEDULED;
    if (waitsAgain && reports.end().filter(end -> end.outcome().isSuccess()).isPresent()) {
      return lateSuccess(reports, task);
    }
    // A start that comes after the end must not be taken for one that was written: it grants
    // nothing.
    return late(reports, reports.end().isEmpty() ? Answer.VOID : Answer.DUPLICATE);
  }

  private static boolean isSpeaker(WorkerEvent event, LockedTask task) {
    return isOfItsWorker(event, task) && event.session().equals(task.session());
  }

  private static boolean isOfItsWorker(WorkerEvent event, LockedTask task) {
    return event.worker().equals(task.worker());
  }

  private static Decision active(
      Folded reports, LockedTask task, @Nullable Work work, Judge judge) {
    if (reports.end().isEmpty()) {
      return task.state() == TaskState.RUNNING
          ? nothing(Answer.DUPLICATE)
          : applied(Change.started(guard(reports, task), reports.times()));
    }
    WorkerEvent.Ended end = reports.end().get();
    Outcome outcome = end.outcome();
    boolean ran =
        end.execution().startedAtMs() > 0
            || reports.hasStarted()
            || outcome instanceof Outcome.Exited;
    RunPolicy policy = work == null ? RunPolicy.DEFAULT : work.policy();
    Verdict verdict = judge.judge(outcome, policy, task.abortReason(), task.tried());
    boolean waits = verdict.to() == TaskState.PENDING || verdict.delay().isPositive();
    var over =
        new AttemptEnd(
            task.state() == TaskState.DISPATCHED && ran,
            waits ? verdict.delay() : null,
            verdict.category(),
            mayRunOn(outcome, policy),
            exit(end));
    return applied(
        new Change(
            guard(reports, task),
            verdict.to(),
            printable(verdict.reason(), REASON_MAX),
            reports.times(),
            over));
  }

  private static Guard guard(Folded reports, LockedTask task) {
    return new Guard(task.id(), reports.any().dispatch(), task.session(), task.state());
  }

  /** Whatever becomes of the task: a lost attempt of a strict one may still run for so long. */
  private static @Nullable Duration mayRunOn(Outcome outcome, RunPolicy policy) {
    return outcome instanceof Outcome.Lost lost && policy.isStrict() && lost.mayRunOn().isPositive()
        ? lost.mayRunOn()
        : null;
  }

  /** The attempt was given up, but nothing replaced it yet: what it achieved counts. */
  private static Decision lateSuccess(Folded reports, LockedTask task) {
    var over = new AttemptEnd(false, null, Category.NONE, null, Exit.UNKNOWN);
    var change =
        new Change(guard(reports, task), TaskState.SUCCEEDED, "late_success", Times.UNKNOWN, over);
    return new Decision(
        Answer.APPLIED,
        Optional.of(change),
        Optional.of(new Late(reports.any().dispatch(), "exit_code: 0")));
  }

  private static Decision late(Folded reports, Answer answer) {
    Optional<Late> late =
        reports
            .end()
            .map(WorkerEvent.Ended::outcome)
            .filter(Outcome::isReported)
            .map(
                outcome ->
                    new Late(reports.any().dispatch(), printable(outcome.toString(), REASON_MAX)));
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

  /** PostgreSQL text takes no NUL. */
  private static String printable(String text, int max) {
    String clean = text.replace('\0', ' ');
    return clean.length() <= max ? clean : clean.substring(0, max);
  }
}
