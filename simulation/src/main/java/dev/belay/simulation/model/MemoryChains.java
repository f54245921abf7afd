package dev.belay.simulation.model;

import dev.belay.domain.id.TriggerId;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.domain.trigger.TargetState;
import dev.belay.engine.port.ChainReads;
import dev.belay.engine.port.TriggerTarget;
import dev.belay.engine.port.TriggerTarget.Limit;
import dev.belay.engine.port.Workflow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Reads of undecided ends: trigger/read_chains. */
record MemoryChains(Tables tables) implements ChainReads {

  @Override
  public List<PendingChain> readPending(int max, int each) {
    return tables.database.statement(
        statement -> {
          var byTrigger = new TreeMap<TriggerId, List<ChainFireRow>>();
          statement
              .rows(tables.chainFire, row -> row.verdict() == null)
              .forEach(
                  row ->
                      byTrigger
                          .computeIfAbsent(row.key().trigger(), trigger -> new ArrayList<>())
                          .add(row));
          return byTrigger.values().stream()
              .flatMap(
                  rows ->
                      rows.stream().sorted(Comparator.comparing(ChainFireRow::endedAt)).limit(each))
              .limit(max)
              .map(row -> pending(statement, row))
              .toList();
        });
  }

  private PendingChain pending(ModelStatement statement, ChainFireRow row) {
    var workflow = statement.read(tables.trigger, row.key().trigger()).orElseThrow().workflow();
    var version = statement.read(tables.triggerVersion, row.version()).orElseThrow();
    var control = statement.read(tables.control, workflow).orElseThrow();
    boolean triggerPaused =
        !statement
            .rows(
                tables.triggerVersion,
                live ->
                    live.trigger.equals(row.key().trigger())
                        && live.isLive()
                        && live.pausedAt != null)
            .isEmpty();
    var latest =
        tables
            .latest(statement, workflow)
            .flatMap(newest -> statement.read(tables.version, newest))
            .orElse(null);
    return new PendingChain(
        row.key(),
        row.state(),
        row.logicalDate(),
        row.depth(),
        version.spec,
        new TriggerTarget(
            new Workflow(workflow.tenant(), workflow.name()),
            latest,
            new TargetState(false, control.pausedAt != null, triggerPaused),
            new Limit(control.maxActive, control.overlap == null ? Overlap.QUEUE : control.overlap),
            statement.now()));
  }
}
