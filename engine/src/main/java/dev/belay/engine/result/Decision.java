package dev.belay.engine.result;

import dev.belay.domain.settle.Judge;
import dev.belay.domain.settle.Outcome;
import dev.belay.domain.settle.Verdict;
import dev.belay.domain.settle.Verdict.Category;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.domain.spec.Work;
import dev.belay.domain.task.TaskState;
import dev.belay.protocol.agent.v1.Exit;
import dev.belay.protocol.agent.v1.Finished;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the reports on one dispatch do to its task, seen under the task's lock. */
public record Decision(Answer answer, Optional<Write> write, Optional<Write.Late> late) {

  private static final int REASON_MAX = 500;

  private static Decision nothing(Answer answer) {
    return new Decision(answer, Optional.empty(), Optional.empty());
  }

  public static Decision of(
      Folded reports, @Nullable LockedTask task, @Nullable Work work, Judge judge) {
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
    if (waitsAgain && reports.end().filter(Decision::isSuccess).isPresent()) {
      return lateSuccess(reports, task);
    }
    // A start that comes after the end must not be taken for one that was written: it grants
    // nothing.
    return late(reports, reports.end().isEmpty() ? Answer.VOID : Answer.DUPLICATE);
  }

  private static boolean isSpeaker(WorkerEvent event, LockedTask task) {
    return isOfItsWorker(event, task) && event.session().value().equals(task.session());
  }

  private static boolean isOfItsWorker(WorkerEvent event, LockedTask task) {
    return event.worker().value().equals(task.worker());
  }

  private static Decision active(
      Folded reports, LockedTask task, @Nullable Work work, Judge judge) {
    if (reports.end().isEmpty()) {
      if (task.state() == TaskState.RUNNING) {
        return nothing(Answer.DUPLICATE);
      }
      return applied(
          new Write(
              task.id(),
              dispatch(reports),
              task.session(),
              task.state(),
              TaskState.RUNNING,
              false,
              false,
              reports.startedAtMs(),
              null,
              "started",
              null,
              0,
              0,
              0,
              null,
              null,
              null,
              null));
    }
    WorkerEvent end = reports.end().get();
    boolean ran = hasRun(end) || reports.hasStarted() || exitCode(end) != null;
    boolean viaRunning = task.state() == TaskState.DISPATCHED && ran;
    RunPolicy policy = work == null ? RunPolicy.DEFAULT : work.policy();
    Verdict verdict = judge.judge(outcome(end), policy, task.abortReason(), task.tried());
    boolean waits = verdict.to() == TaskState.PENDING || verdict.delay().isPositive();
    return applied(
        new Write(
            task.id(),
            dispatch(reports),
            task.session(),
            task.state(),
            verdict.to(),
            true,
            viaRunning,
            reports.startedAtMs(),
            reports.endedAtMs(),
            printable(verdict.reason(), REASON_MAX),
            waits ? Long.valueOf(verdict.delay().toMillis()) : null,
            verdict.category() == Category.ERROR ? 1 : 0,
            verdict.category() == Category.LOST ? 1 : 0,
            verdict.category() == Category.CRASH ? 1 : 0,
            fenceMs(end, policy),
            exitCode(end),
            signal(end),
            detail(end)));
  }

  /** Whatever becomes of the task: a lost attempt of a strict one may still run for so long. */
  private static @Nullable Long fenceMs(WorkerEvent end, RunPolicy policy) {
    return end instanceof WorkerEvent.Lost lost && policy.isStrict() && lost.mayRunOn().isPositive()
        ? Long.valueOf(lost.mayRunOn().toMillis())
        : null;
  }

  /** The attempt was given up, but nothing replaced it yet: what it achieved counts. */
  private static Decision lateSuccess(Folded reports, LockedTask task) {
    var write =
        new Write(
            task.id(),
            dispatch(reports),
            task.session(),
            task.state(),
            TaskState.SUCCEEDED,
            true,
            false,
            null,
            null,
            "late_success",
            null,
            0,
            0,
            0,
            null,
            null,
            null,
            null);
    return new Decision(
        Answer.APPLIED,
        Optional.of(write),
        Optional.of(new Write.Late(dispatch(reports), "exit_code: 0")));
  }

  private static Decision late(Folded reports, Answer answer) {
    Optional<Write.Late> late =
        reports
            .end()
            .filter(WorkerEvent.Finished.class::isInstance)
            .map(end -> new Write.Late(dispatch(reports), describe(outcome(end))));
    return new Decision(answer, Optional.empty(), late);
  }

  private static Decision applied(Write write) {
    return new Decision(Answer.APPLIED, Optional.of(write), Optional.empty());
  }

  private static java.util.UUID dispatch(Folded reports) {
    return reports.any().dispatch().value();
  }

  private static boolean isSuccess(WorkerEvent end) {
    return outcome(end) instanceof Outcome.Exited exited && exited.code() == 0;
  }

  private static Outcome outcome(WorkerEvent end) {
    return switch (end) {
      case WorkerEvent.Started started -> throw new IllegalArgumentException("a start is no end");
      case WorkerEvent.Refused refused -> new Outcome.Refused(refused.reason());
      case WorkerEvent.Lost lost -> new Outcome.Lost(lost.reason(), lost.mayRunOn());
      case WorkerEvent.Finished finished -> outcome(finished.message());
    };
  }

  private static Outcome outcome(Finished message) {
    return switch (message.getOutcomeCase()) {
      case EXIT -> exited(message.getExit());
      case TIMED_OUT -> new Outcome.TimedOut(Duration.ofMillis(message.getTimedOut().getLimitMs()));
      case ABORTED -> new Outcome.Aborted(message.getAborted().getReason());
      case START_FAILED -> new Outcome.StartFailed(message.getStartFailed().getMessage());
      case OUTCOME_NOT_SET -> new Outcome.StartFailed("the worker reported no outcome");
    };
  }

  private static Outcome exited(Exit exit) {
    return new Outcome.Exited(exit.getCode(), exit.getSignal(), exit.getOutOfMemory());
  }

  private static String describe(Outcome outcome) {
    return printable(outcome.toString(), REASON_MAX);
  }

  private static boolean hasRun(WorkerEvent end) {
    return end instanceof WorkerEvent.Finished finished && finished.message().getStartedAtMs() > 0;
  }

  private static @Nullable Integer exitCode(WorkerEvent end) {
    return end instanceof WorkerEvent.Finished finished && finished.message().hasExit()
        ? Integer.valueOf(finished.message().getExit().getCode())
        : null;
  }

  private static @Nullable Integer signal(WorkerEvent end) {
    return end instanceof WorkerEvent.Finished finished
            && finished.message().hasExit()
            && finished.message().getExit().getSignal() > 0
        ? Integer.valueOf(finished.message().getExit().getSignal())
        : null;
  }

  public static @Nullable String detail(WorkerEvent end) {
    return end instanceof WorkerEvent.Finished finished && !finished.message().getDetail().isEmpty()
        ? printable(finished.message().getDetail(), Integer.MAX_VALUE)
        : null;
  }

  /** PostgreSQL text takes no NUL. */
  private static String printable(String text, int max) {
    String clean = text.replace('\0', ' ');
    return clean.length() <= max ? clean : clean.substring(0, max);
  }
}
