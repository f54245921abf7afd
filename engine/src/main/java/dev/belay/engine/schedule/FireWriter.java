package dev.belay.engine.schedule;

import dev.belay.domain.id.BackfillId;
import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.schedule.DueInstants;
import dev.belay.domain.schedule.DueInstants.Decision;
import dev.belay.domain.schedule.DueInstants.Outcome;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.ScheduleReads.Due;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.schedule.Fired.Instance;
import dev.belay.engine.statement.ScheduleStatements;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import dev.belay.engine.statement.ScheduleStatements.Fire;
import dev.belay.engine.statement.ScheduleStatements.InstantKey;
import dev.belay.engine.statement.ScheduleStatements.NewRun;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.statement.Transactions;
import dev.belay.engine.steer.RunCancel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Writes decided instants under the epoch lock: cursors, rows of the ledger and runs. Locks in the
 * order workflows, versions of triggers, tasks, runs. Thread-safe.
 */
final class FireWriter {

  private static final String ACTOR = "schedule";
  private static final String DELETED = "workflow_deleted";
  private static final String RESUMED = "resumed";
  private static final String BACKFILL = "backfill: ";

  /** The kind of its alerts. */
  private static final String FAILED = "trigger_failed";

  /** Of one transaction. */
  private static final int ALERTS_MAX = 10;

  private final Transactions transactions;
  private final Hints hints;
  private final Meters meters;

  /** Whether runs wait for {@link #hintRuns}. */
  private final AtomicBoolean started = new AtomicBoolean();

  FireWriter(Transactions transactions, Hints hints, Meters meters) {
    this.transactions = transactions;
    this.hints = hints;
    this.meters = meters;
  }

  boolean isAway(RuntimeException failure) {
    return transactions.isAway(failure);
  }

  /**
   * @param toTell workers whose attempts a run that makes room has to end
   */
  private record Written(int runs, Set<WorkerId> toTell, List<Fire> rows, int alerts) {}

  void write(Epoch epoch, List<Fired> all) {
    Written written = transactions.asLeader(epoch, statements -> new Batch(statements).write(all));
    written.toTell().forEach(hints::mailbox);
    if (written.runs() > 0) {
      started.set(true);
    }
    meters.alerted(FAILED, written.alerts());
    Instant now = all.getFirst().due().now();
    for (Fire row : written.rows()) {
      String outcome = row.decision().outcome().name().toLowerCase(Locale.ROOT);
      meters.decided(outcome, Duration.between(row.decision().due(), now));
    }
  }

  /** Wakes the tick, if runs were written since the last call. */
  void hintRuns() {
    if (started.getAndSet(false)) {
      hints.runChanged();
    }
  }

  /** One transaction. */
  private static final class Batch {
    private final Statements statements;
    private final ScheduleStatements schedules;
    private final Map<Workflow, List<RunId>> open = new TreeMap<>();
    private final Set<WorkerId> toTell = new HashSet<>();
    private final List<NewRun> runs = new ArrayList<>();
    private final Set<RunId> dropped = new HashSet<>();

    Batch(Statements statements) {
      this.statements = statements;
      this.schedules = statements.schedules();
    }

    Written write(List<Fired> all) {
      var limited = new TreeSet<Workflow>();
      for (Fired fired : all) {
        if (isLimited(fired.due()) && (starts(fired.instants()) || starts(fired.replayed()))) {
          limited.add(fired.due().workflow());
        }
      }
      if (!limited.isEmpty()) {
        open.putAll(schedules.lockOpenRuns(limited));
      }
      Set<UUID> advanced = schedules.advance(all.stream().map(Fired::cursor).toList());
      List<Fired> moved =
          all.stream().filter(fired -> advanced.contains(fired.cursor().version())).toList();
      Map<InstantKey, BackfillId> backfilled = backfilled(moved);
      List<Fire> added = new ArrayList<>();
      List<Fire> changed = new ArrayList<>();
      for (Fired fired : moved) {
        changed.addAll(decide(fired, without(backfilled, fired, fired.replayed())));
        added.addAll(decide(fired, without(backfilled, fired, fired.instants())));
      }
      Set<RunId> inserted = runs.isEmpty() ? Set.of() : schedules.insertRuns(runs, ACTOR);
      List<Fire> rows = added.stream().map(row -> truthful(row, inserted)).toList();
      if (!rows.isEmpty()) {
        schedules.insertFires(rows);
      }
      change(changed, inserted);
      return new Written(inserted.size(), toTell, rows, alert(all));
    }

    /** Instants that have the run of a backfill, which leaves out those that the schedule fired. */
    private Map<InstantKey, BackfillId> backfilled(List<Fired> moved) {
      List<InstantKey> firing = new ArrayList<>();
      for (Fired fired : moved) {
        Stream.concat(fired.replayed().stream(), fired.instants().stream())
            .filter(one -> one.run() != null)
            .forEach(one -> firing.add(key(fired, one)));
      }
      return firing.isEmpty() ? Map.of() : schedules.readBackfilled(firing);
    }

    private static InstantKey key(Fired fired, Instance one) {
      return new InstantKey(fired.due().trigger(), one.decision().at());
    }

    private static List<Instance> without(
        Map<InstantKey, BackfillId> backfilled, Fired fired, List<Instance> instants) {
      return instants.stream()
          .map(
              one -> {
                BackfillId by = one.run() == null ? null : backfilled.get(key(fired, one));
                return by == null
                    ? one
                    : Instance.without(Fired.skipped(one.decision(), BACKFILL + by));
              })
          .toList();
    }

    /** Nobody waits for a run that a trigger should have started: a person must hear of it. */
    private int alert(List<Fired> all) {
      int raised = 0;
      for (Fired fired : all) {
        String trouble = fired.trouble();
        if (trouble != null && raised < ALERTS_MAX) {
          Workflow workflow = fired.due().workflow();
          String detail =
              "a trigger of the workflow %s of tenant %s started no run: %s"
                  .formatted(workflow.name(), workflow.tenant(), trouble);
          raised += statements.reap().alert(FAILED, detail) ? 1 : 0;
        }
      }
      return raised;
    }

    /** Rows of an instant whose run the store did not take say so. */
    private Fire truthful(Fire row, Set<RunId> inserted) {
      if (row.run() == null || inserted.contains(row.run())) {
        return row;
      }
      String reason = dropped.contains(row.run()) ? DueInstants.OVERLAP : DELETED;
      return new Fire(row.trigger(), Fired.skipped(row.decision(), reason), null);
    }

    private void change(List<Fire> changed, Set<RunId> inserted) {
      Map<TriggerId, List<Fire>> byTrigger = new HashMap<>();
      for (Fire row : changed) {
        if (row.run() == null || inserted.contains(row.run())) {
          byTrigger.computeIfAbsent(row.trigger(), first -> new ArrayList<>()).add(resumed(row));
        }
      }
      byTrigger.forEach(
          (trigger, rows) -> {
            Set<Instant> done = schedules.changePaused(trigger, rows);
            if (rows.stream()
                .anyMatch(row -> row.run() != null && !done.contains(row.decision().at()))) {
              throw new IllegalStateException("a skipped instant of a locked trigger changed");
            }
          });
    }

    /** It is not late: it was paused when it was due. */
    private static Fire resumed(Fire row) {
      Decision decision = row.decision();
      return decision.outcome() == Outcome.FIRED
          ? new Fire(
              row.trigger(),
              new Decision(decision.at(), decision.due(), Outcome.FIRED, RESUMED, null),
              row.run())
          : row;
    }

    private static boolean starts(List<Instance> instants) {
      return instants.stream().anyMatch(one -> one.run() != null);
    }

    private static boolean isLimited(Due due) {
      return due.state().maxActive() != null
          && switch (due.state().overlap()) {
            case SKIP, CANCEL_RUNNING -> true;
            case QUEUE, ALLOW -> false;
          };
    }

    /** The rows of these instants; adds their runs. */
    private List<Fire> decide(Fired fired, List<Instance> instants) {
      Set<RunId> wanted = new HashSet<>();
      for (Instance one : instants) {
        if (one.run() != null) {
          wanted.add(one.run());
        }
      }
      Set<RunId> starting = isLimited(fired.due()) ? withRoom(fired.due(), instants) : wanted;
      List<Fire> rows = new ArrayList<>();
      for (Instance one : instants) {
        RunId run = one.run();
        if (run == null) {
          rows.add(new Fire(fired.due().trigger(), one.decision(), null));
        } else if (starting.contains(run)) {
          runs.add(run(fired.due(), one, run));
          rows.add(new Fire(fired.due().trigger(), one.decision(), run));
        } else {
          rows.add(
              new Fire(
                  fired.due().trigger(), Fired.skipped(one.decision(), DueInstants.OVERLAP), null));
        }
      }
      return rows;
    }

    /** The runs that may start. Of several that cancel each other only the newest remain. */
    private Set<RunId> withRoom(Due due, List<Instance> instants) {
      List<RunId> wanted =
          instants.stream()
              .filter(one -> one.decision().outcome() == Outcome.FIRED)
              .map(Instance::run)
              .filter(Objects::nonNull)
              .toList();
      int max = Objects.requireNonNull(due.state().maxActive());
      List<RunId> active = new ArrayList<>(open.getOrDefault(due.workflow(), List.of()));
      List<RunId> starting;
      if (due.state().overlap() == Overlap.SKIP) {
        starting = wanted.subList(0, Math.min(wanted.size(), Math.max(0, max - active.size())));
      } else {
        starting = wanted.subList(Math.max(0, wanted.size() - max), wanted.size());
        int tooMany = active.size() + starting.size() - max;
        List<RunId> oldest = active.subList(0, Math.clamp(tooMany, 0, active.size()));
        oldest.forEach(this::cancel);
        oldest.clear();
      }
      active.addAll(starting);
      open.put(due.workflow(), active);
      return new HashSet<>(starting);
    }

    private void cancel(RunId run) {
      if (runs.removeIf(mine -> mine.id().equals(run))) {
        dropped.add(run); // Another trigger of this batch would have started it.
        return;
      }
      toTell.addAll(RunCancel.request(statements.steer(), run, ACTOR).toTell());
    }

    private static NewRun run(Due due, Instance one, RunId run) {
      return new NewRun(
          run,
          due.workflow().tenant(),
          due.state().latest(),
          due.workflow().name(),
          one.params(),
          one.decision().at(),
          due.state().overlap() != Overlap.ALLOW,
          Cause.trigger(due.trigger()));
    }
  }
}
