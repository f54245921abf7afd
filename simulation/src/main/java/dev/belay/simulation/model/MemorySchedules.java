package dev.belay.simulation.model;

import dev.belay.domain.id.TriggerId;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.RunLimits.Overlap;
import dev.belay.engine.port.ScheduleReads;
import dev.belay.engine.port.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The leader's reads of timed triggers, by rows. */
record MemorySchedules(Tables tables) implements ScheduleReads {

  @Override
  public List<Due> readDue(int max) {
    return tables.database.statement(
        statement -> {
          Instant now = statement.now();
          var due = new ArrayList<Due>();
          statement
              .rows(
                  tables.triggerVersion,
                  row -> row.kind.equals("timed") && row.dueAt != null && !row.dueAt.isAfter(now))
              .stream()
              .sorted(Comparator.comparing(row -> Objects.requireNonNull(row.dueAt)))
              .limit(max)
              .forEach(row -> due(statement, row, now).ifPresent(due::add));
          return due;
        });
  }

  private Optional<Due> due(ModelStatement statement, TriggerVersionRow row, Instant now) {
    var trigger = statement.read(tables.trigger, row.trigger).orElseThrow();
    var control = statement.read(tables.control, trigger.workflow()).orElseThrow();
    return tables
        .latest(statement, trigger.workflow())
        .flatMap(version -> statement.read(tables.version, version))
        .map(
            latest ->
                new Due(
                    row.id,
                    row.trigger,
                    new Workflow(trigger.workflow().tenant(), trigger.workflow().name()),
                    row.spec,
                    row.nextAt,
                    row.untilAt,
                    row.pausedAt != null,
                    row.replayFrom,
                    new State(
                        latest,
                        control.pausedAt != null,
                        control.maxActive,
                        control.overlap == null ? Overlap.QUEUE : control.overlap),
                    now));
  }

  @Override
  public Optional<NextDue> readNextDue() {
    return tables.database.statement(
        statement ->
            statement
                .rows(tables.triggerVersion, row -> row.kind.equals("timed") && row.dueAt != null)
                .stream()
                .map(row -> Objects.requireNonNull(row.dueAt))
                .min(Instant::compareTo)
                .map(due -> new NextDue(due, Duration.between(statement.now(), due))));
  }

  /** The simulated workflows name no calendar. */
  @Override
  public Map<String, DayCalendar> readCalendars() {
    return Map.of();
  }

  @Override
  public List<Instant> readPaused(TriggerId trigger, Instant since, int max) {
    return tables.database.statement(
        statement -> {
          List<Instant> paused =
              statement
                  .rows(
                      tables.fire,
                      row ->
                          row.key.trigger().equals(trigger)
                              && !row.key.at().isBefore(since)
                              && row.isPaused())
                  .stream()
                  .map(row -> row.key.at())
                  .toList();
          return paused.subList(Math.max(0, paused.size() - max), paused.size());
        });
  }
}
