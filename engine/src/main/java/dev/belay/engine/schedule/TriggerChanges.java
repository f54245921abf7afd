package dev.belay.engine.schedule;

import dev.belay.domain.id.Ids;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.RunLimits.ExpectBy;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.port.Workflow;
import dev.belay.engine.statement.ScheduleStatements;
import dev.belay.engine.statement.ScheduleStatements.Known;
import dev.belay.engine.statement.ScheduleStatements.NewVersion;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores the triggers of changed files. A trigger that changed gets a new version; the old one ends
 * now and still decides its instants up to now. One that did not change keeps its cursor.
 */
public final class TriggerChanges {

  /**
   * A trigger of a workflow's latest version.
   *
   * @param source the workflow or event that it waits for; null when it waits for times
   * @param spec as JSON: equal text means the same trigger
   * @param timing its times; null when it waits for something else
   */
  public record Wanted(
      Workflow workflow,
      String name,
      String kind,
      @Nullable String source,
      String spec,
      @Nullable Timing timing) {

    /** A trigger of the file. */
    public static Wanted of(Workflow workflow, TriggerSpec trigger, String spec) {
      return switch (trigger) {
        case TriggerSpec.Timed timed ->
            new Wanted(workflow, timed.name(), "timed", null, spec, timed.timing());
        case TriggerSpec.AfterWorkflow after ->
            new Wanted(workflow, after.name(), "workflow", after.workflow(), spec, null);
        case TriggerSpec.OnEvent on ->
            new Wanted(workflow, on.name(), "event", on.event(), spec, null);
      };
    }

    /** The daily check that a run has succeeded. */
    public static Wanted of(Workflow workflow, ExpectBy expected) {
      LocalTime at = expected.time();
      try {
        var daily =
            Cron.parse("%d %d %d * * *".formatted(at.getSecond(), at.getMinute(), at.getHour()));
        var timing =
            new Timing(daily, expected.zone(), Dst.DEFAULT, null, null, null, Duration.ZERO);
        String spec = "{\"time\":\"%s\",\"timezone\":\"%s\"}".formatted(at, expected.zone());
        return new Wanted(workflow, EXPECT_BY, "expect_by", null, spec, timing);
      } catch (Cron.BadCron impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  /** No trigger of a file can have this name. */
  public static final String EXPECT_BY = "run.expect_by";

  private record Key(Workflow workflow, String name) {}

  private TriggerChanges() {}

  /**
   * Runs in the caller's transaction, behind the lock of the writers of these workflows.
   *
   * @param workflows their triggers become exactly the wanted ones
   * @return the time until the first new trigger is due; empty when none waits for a time
   */
  public static Optional<Duration> write(
      ScheduleStatements statements, Collection<Workflow> workflows, List<Wanted> wanted, Ids ids) {
    Map<Key, Known> known = new HashMap<>();
    statements
        .lockTriggers(workflows)
        .forEach(one -> known.put(new Key(one.workflow(), one.name()), one));
    Instant now = statements.now();
    List<NewVersion> added = new ArrayList<>();
    Set<UUID> kept = new HashSet<>();
    for (Wanted one : wanted) {
      Known before = known.get(new Key(one.workflow(), one.name()));
      if (before != null && before.live() != null && one.spec().equals(before.spec())) {
        kept.add(before.live());
      } else {
        added.add(version(one, before, now, ids));
      }
    }
    Map<UUID, Instant> retired = new HashMap<>();
    for (Known one : known.values()) {
      if (one.live() != null && !kept.contains(one.live())) {
        retired.put(one.live(), end(one, now));
      }
    }
    if (!retired.isEmpty()) {
      statements.retire(retired);
    }
    if (!added.isEmpty()) {
      statements.insertVersions(added, now);
    }
    return added.stream()
        .flatMap(version -> Stream.ofNullable(version.due()))
        .min(Instant::compareTo)
        .map(due -> Duration.between(now, due));
  }

  /**
   * One version ends where the next begins, so no instant is left out and none belongs to two.
   * After a clock was set back, that may be later than now.
   */
  private static Instant end(Known before, Instant now) {
    Instant covered = before.covered();
    return covered != null && covered.isAfter(now) ? covered : now;
  }

  private static NewVersion version(Wanted wanted, @Nullable Known before, Instant now, Ids ids) {
    TriggerId trigger = before == null ? new TriggerId(ids.next()) : before.id();
    Instant from = before == null ? now : end(before, now);
    Timing timing = wanted.timing();
    Instant next = timing == null ? null : timing.next(from).orElse(null);
    return new NewVersion(
        ids.next(),
        trigger,
        before == null ? null : before.live(),
        wanted.workflow(),
        wanted.name(),
        wanted.kind(),
        wanted.source(),
        wanted.spec(),
        from,
        next,
        next == null ? null : Objects.requireNonNull(timing).due(trigger.toString(), next));
  }
}
