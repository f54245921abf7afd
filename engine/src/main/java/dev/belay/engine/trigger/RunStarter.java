package dev.belay.engine.trigger;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.domain.trigger.SkipReason;
import dev.belay.domain.trigger.Verdict;
import dev.belay.engine.port.TriggerTarget.Limit;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.statement.ScheduleStatements.NewRun;
import dev.belay.engine.statement.Statements;
import dev.belay.engine.steer.RunCancel;
import dev.belay.engine.trigger.Choice.Start;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Starts the runs of one transaction, as many as {@code max_active} and {@code overlap} allow.
 * Locks the workflows with such a limit, so call {@link #of} before other locks are taken.
 */
final class RunStarter {

  private final Statements statements;
  private final String actor;
  private final Map<Workflow, List<RunId>> open = new TreeMap<>();
  private final Map<RunId, NewRun> runs = new LinkedHashMap<>();
  private final Set<RunId> withoutRoom = new HashSet<>();
  private final Set<WorkerId> toTell = new LinkedHashSet<>();
  private Set<RunId> started = Set.of();

  private RunStarter(Statements statements, String actor) {
    this.statements = statements;
    this.actor = actor;
  }

  static <K> RunStarter of(Statements statements, String actor, List<Choice<K>> choices) {
    var starter = new RunStarter(statements, actor);
    var limited = new TreeSet<Workflow>();
    for (Choice<K> choice : choices) {
      Start start = choice.start();
      if (start != null && start.limit().isStrict()) {
        limited.add(workflow(start.run()));
      }
    }
    if (!limited.isEmpty()) {
      starter.open.putAll(statements.schedules().lockOpenRuns(limited));
    }
    return starter;
  }

  private static Workflow workflow(NewRun run) {
    return new Workflow(run.tenant(), run.workflow());
  }

  <K> void start(List<Choice<K>> choices) {
    for (Choice<K> choice : choices) {
      Start start = choice.start();
      if (start != null && hasRoom(start.run(), start.limit())) {
        runs.put(start.run().id(), start.run());
      }
    }
    if (!runs.isEmpty()) {
      started = statements.schedules().insertRuns(List.copyOf(runs.values()), actor);
    }
  }

  private boolean hasRoom(NewRun run, Limit limit) {
    if (!limit.isStrict()) {
      return true;
    }
    int max = Objects.requireNonNull(limit.maxActive());
    List<RunId> active = open.computeIfAbsent(workflow(run), first -> new ArrayList<>());
    if (limit.overlap() == Overlap.SKIP && active.size() >= max) {
      withoutRoom.add(run.id());
      return false;
    }
    List<RunId> oldest = active.subList(0, Math.max(0, active.size() + 1 - max));
    oldest.forEach(this::cancel);
    oldest.clear();
    active.add(run.id());
    return true;
  }

  private void cancel(RunId run) {
    if (runs.remove(run) != null) {
      withoutRoom.add(run); // It would have started in this transaction.
      return;
    }
    toTell.addAll(RunCancel.request(statements.steer(), run, actor).toTell());
  }

  /** The verdict now that the runs are inserted. */
  Verdict after(Verdict wanted) {
    return switch (wanted) {
      case Verdict.Fired(var run) when !started.contains(run) -> notStarted(run);
      case Verdict.Coalesced(var run) when !started.contains(run) -> notStarted(run);
      default -> wanted;
    };
  }

  /** The store takes no run of a workflow that was deleted meanwhile. */
  private Verdict notStarted(RunId run) {
    return new Verdict.Skipped(
        (withoutRoom.contains(run) ? SkipReason.OVERLAP : SkipReason.DELETED).word());
  }

  int started() {
    return started.size();
  }

  /** Workers whose attempts have to end to make room. */
  Set<WorkerId> toTell() {
    return toTell;
  }
}
