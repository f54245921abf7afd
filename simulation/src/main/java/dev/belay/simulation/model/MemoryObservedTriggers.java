package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.engine.statement.ScheduleStatements.Cause;
import dev.belay.simulation.ObservedTriggers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Sees committed triggers. Numbers follow the order of commits. */
record MemoryObservedTriggers(Tables tables) implements ObservedTriggers {

  private static final Cause NONE = new Cause(null, null, null, null, 0);

  @Override
  public List<Version> versionsAfter(long number) {
    var log = tables.triggerVersion.log;
    var found = new ArrayList<Version>();
    for (int i = Math.toIntExact(number); i < log.size(); i++) {
      var row = tables.triggerVersion.committed(log.get(i)).orElseThrow();
      if (row.isTimed()) {
        found.add(version(i + 1L, row));
      }
    }
    return found;
  }

  private Version version(long number, TriggerVersionRow row) {
    var trigger = tables.trigger.committed(row.trigger).orElseThrow();
    return new Version(
        number,
        row.id,
        new Name(row.trigger, trigger.workflow().name(), trigger.name()),
        row.spec,
        new Range(row.fromAt, row.untilAt),
        new Cursor(row.nextAt, row.dueAt, row.replayFrom),
        row.pausedAt != null);
  }

  @Override
  public List<Fire> firesAfter(long number) {
    var log = tables.fire.log;
    var found = new ArrayList<Fire>();
    for (int i = Math.toIntExact(number); i < log.size(); i++) {
      var row = tables.fire.committed(log.get(i)).orElseThrow();
      var decision = row.decision;
      found.add(
          new Fire(
              i + 1L,
              row.key.trigger(),
              row.key.at(),
              decision.due(),
              decision.outcome().name().toLowerCase(Locale.ROOT),
              decision.reason(),
              row.run,
              decision.into(),
              row.decidedAt));
    }
    return found;
  }

  @Override
  public List<Run> runs(Collection<RunId> runs) {
    var found = new ArrayList<Run>();
    for (RunId id : new TreeSet<>(runs)) {
      tables
          .run
          .committed(id)
          .ifPresent(
              run ->
                  found.add(
                      new Run(
                          id,
                          run.workflow,
                          run.logicalDate,
                          run.cause == null ? NONE : run.cause)));
    }
    return found;
  }
}
