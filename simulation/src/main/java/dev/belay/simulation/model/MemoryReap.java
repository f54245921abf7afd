package dev.belay.simulation.model;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.reap.ReapSettings;
import dev.belay.domain.run.RunState;
import dev.belay.engine.port.ReapReads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of the reaper. */
record MemoryReap(Tables tables, ReapSettings settings) implements ReapReads {

  private MemoryLivenessReads signs() {
    return new MemoryLivenessReads(tables, settings);
  }

  @Override
  public Survey survey() {
    return signs().survey();
  }

  @Override
  public List<ActiveTask> readActive(
      Collection<WorkerId> workers, @Nullable TaskId after, int max, Survey survey) {
    return signs().readActive(workers, after, max, survey);
  }

  @Override
  public List<Orphan> readOrphans(@Nullable RunId after, int max) {
    return tables.database.statement(
        statement -> {
          Instant quiet = statement.now().minus(settings.waits().orphan());
          Instant failing = statement.now().minus(settings.waits().orphanFails());
          Instant forgotten =
              statement.now().minus(settings.waits().orphanFails().multipliedBy(10));
          var orphans = new ArrayList<Orphan>();
          for (RunRow run : statement.rows(tables.run, RunRow::isOpen)) {
            boolean isNext = after == null || run.id.compareTo(after) > 0;
            Instant noted = run.orphanNotedAt;
            if (orphans.size() < max
                && isNext
                && (run.state == RunState.RUNNING || run.reason == null)
                && !MemoryReapStatements.begun(run).isAfter(quiet)
                && (noted == null || !noted.isAfter(failing))
                && MemoryReapStatements.isQuiet(tables, statement, run.id, quiet)) {
              orphans.add(new Orphan(run.id, noted != null && !noted.isBefore(forgotten)));
            }
          }
          return orphans;
        });
  }
}
