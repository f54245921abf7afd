package dev.belay.simulation;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.schedule.DueInstants;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.simulation.Coverage.Kind;
import dev.belay.simulation.ObservedTriggers.Fire;
import dev.belay.simulation.ObservedTriggers.Version;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether the ledger has one row for each instant: it reckons the instants of each version of a
 * trigger from its file alone, and compares them with the rows.
 */
final class Triggers {
  /** In calm, with a leader, nothing else delays an instant. */
  private static final Duration LATE_MAX = Rules.TICK.multipliedBy(2);

  private static final Set<String> PAUSES = Set.of(DueInstants.PAUSED, DueInstants.TRIGGER_PAUSED);

  private final ObservedTriggers observed;
  private final World world;
  private final Duration calmFor;
  private final Map<UUID, Checked> versions = new LinkedHashMap<>();
  private final Map<TriggerId, TreeMap<Instant, Fire>> ledger = new HashMap<>();
  private final Map<RunId, Key> rowOf = new HashMap<>();
  private final Set<Key> unclaimed = new LinkedHashSet<>();

  /** Versions that ended without a successor: somebody removed the trigger or its workflow. */
  private final Set<UUID> removed = new HashSet<>();

  private int caused;
  private long lastVersion;
  private long lastFire;

  private record Key(TriggerId trigger, Instant at) {}

  /** A version, and how far its instants were found in the ledger. */
  private static final class Checked {
    final Timing timing;
    Version now;
    @Nullable Instant expected;

    Checked(Version now) {
      this.timing = ((TriggerSpec.Timed) SpecCodec.triggerFromJson(now.spec())).timing();
      this.now = now;
      this.expected = timing.next(now.range().from()).orElse(null);
    }

    @Nullable Instant undecided() {
      return expected != null && now.range().has(expected) ? expected : null;
    }
  }

  /**
   * @param calmFor so long after the last fault, a leader is there
   */
  Triggers(ObservedTriggers observed, World world, Duration calmFor) {
    this.observed = observed;
    this.world = world;
    this.calmFor = calmFor;
  }

  /** How many runs Belay started by itself. */
  int caused() {
    return caused;
  }

  void check(List<Observed.RunChange> changes) {
    Set<Checked> moved = new LinkedHashSet<>();
    for (Version version : observed.versionsAfter(lastVersion)) {
      lastVersion = Math.max(lastVersion, version.number());
      moved.add(checkCursor(version));
    }
    moved.forEach(this::noteRemoved);
    List<Fire> fired = new ArrayList<>();
    for (Fire row : observed.firesAfter(lastFire)) {
      lastFire = Math.max(lastFire, row.number());
      if (isNew(row) && row.run() != null) {
        fired.add(row);
      }
    }
    moved.forEach(this::claim);
    unless(unclaimed.isEmpty(), "rows that no trigger has: " + unclaimed);
    checkRuns(fired);
    checkCauses(changes);
  }

  private Checked checkCursor(Version version) {
    Checked known = versions.get(version.id());
    if (known == null) {
      known = new Checked(version);
      versions.put(version.id(), known);
    }
    Instant before = known.now.cursor().next();
    Instant next = version.cursor().next();
    unless(
        next == null || (before != null && !next.isBefore(before)),
        "a cursor moved back from " + before + ": " + version);
    Instant end = known.now.range().until();
    unless(
        end == null || end.equals(version.range().until()),
        "a version that ended at " + end + " changed: " + version);
    known.now = version;
    return known;
  }

  /** A change of the file ends a version and begins the next one in one transaction. */
  private void noteRemoved(Checked version) {
    Instant until = version.now.range().until();
    if (until != null
        && versions.values().stream()
            .noneMatch(
                next ->
                    next.now.name().equals(version.now.name())
                        && next.now.id().compareTo(version.now.id()) > 0
                        && next.now.range().from().equals(until))) {
      removed.add(version.now.id());
    }
  }

  /** Each instant of a version that its cursor has passed has its row, and no other version's. */
  private void claim(Checked version) {
    Instant next = version.now.cursor().next();
    Instant at = version.undecided();
    while (at != null && (next == null || at.isBefore(next))) {
      Key key = new Key(version.now.name().trigger(), at);
      unless(unclaimed.remove(key), "no row of its own for " + key + " of " + version.now);
      version.expected = version.timing.next(at).orElse(null);
      at = version.undecided();
    }
    unless(
        at == null || (at.equals(next) && version.now.cursor().due() != null),
        "nobody will decide " + at + " of " + version.now);
  }

  /** False for a row that is known, perhaps with another fate. */
  private boolean isNew(Fire row) {
    TreeMap<Instant, Fire> rows = ledger.computeIfAbsent(row.trigger(), first -> new TreeMap<>());
    Fire before = rows.put(row.at(), row);
    boolean same =
        before != null
            && before.outcome().equals(row.outcome())
            && Objects.equals(before.reason(), row.reason())
            && Objects.equals(before.run(), row.run());
    if (same) {
      return false;
    }
    unless(
        before == null || (before.reason() != null && PAUSES.contains(before.reason())),
        "a decided instant changed from " + before + " to " + row);
    String reason = row.reason();
    String what = reason == null ? row.outcome() : row.outcome() + " " + Expected.reason(reason);
    world.coverage.count(Kind.FIRE, what);
    world.trace.say("trigger", what + ":", row.trigger(), row.at().toString());
    if (before == null) {
      unclaimed.add(new Key(row.trigger(), row.at()));
      checkTime(row);
    }
    return true;
  }

  private void checkTime(Fire row) {
    unless(
        !row.decidedAt().plus(world.steppedBack()).isBefore(row.due()), "it was too early: " + row);
    Duration late = Duration.between(row.due(), row.decidedAt());
    long dueAt = world.scheduler.nanos() - late.toNanos();
    boolean inCalm = world.isCalm() && dueAt - world.calmSince() > calmFor.toNanos();
    unless(!inCalm || late.compareTo(LATE_MAX) <= 0, "it was late by " + late + ": " + row);
  }

  /** A fired instant has a run of its own. */
  private void checkRuns(List<Fire> fired) {
    if (fired.isEmpty()) {
      return;
    }
    Map<RunId, ObservedTriggers.Run> runs = new HashMap<>();
    observed
        .runs(fired.stream().map(row -> Objects.requireNonNull(row.run())).toList())
        .forEach(run -> runs.put(run.id(), run));
    for (Fire row : fired) {
      RunId id = Objects.requireNonNull(row.run());
      ObservedTriggers.Run run = runs.get(id);
      Key earlier = rowOf.put(id, new Key(row.trigger(), row.at()));
      unless(earlier == null, "two instants have one run: " + earlier + " and " + row);
      unless(
          run != null
              && row.trigger().equals(run.cause().trigger())
              && row.at().equals(run.logicalDate()),
          "its run is another one's: " + row + " " + run);
    }
  }

  /** A run of a timed trigger has its row. */
  private void checkCauses(List<Observed.RunChange> changes) {
    List<RunId> created =
        changes.stream()
            .filter(change -> change.from() == null)
            .map(Observed.RunChange::run)
            .toList();
    if (created.isEmpty()) {
      return;
    }
    for (ObservedTriggers.Run run : observed.runs(created)) {
      var cause = run.cause();
      if (run.workflow().equals(Timetables.CROWDED)) {
        world.ledger.cancelled(run.id()); // the next one may take its place
      }
      if (cause.trigger() != null
          && cause.backfill() == null
          && cause.upstream() == null
          && cause.event() == null) {
        caused++;
        unless(rowOf.containsKey(run.id()), "a run without an instant: " + run);
      }
    }
  }

  /** After a resume, in calm, nothing is left skipped because of the pause. */
  void checkReplayed() {
    long calm = world.scheduler.nanos() - world.calmSince();
    if (!world.isCalm() || calm < calmFor.toNanos()) {
      return;
    }
    for (Checked version : versions.values()) {
      if (version.now.name().workflow().equals(Timetables.FAITHFUL)
          && version.now.range().until() == null) {
        checkReplayed(version.now);
      }
    }
  }

  private void checkReplayed(Version live) {
    Instant since = begin(live);
    ledger
        .getOrDefault(live.name().trigger(), new TreeMap<>())
        .tailMap(since, false)
        .values()
        .stream()
        .filter(row -> row.reason() != null && PAUSES.contains(row.reason()))
        .findFirst()
        .ifPresent(row -> unless(false, "it was resumed and forgotten: " + row + " " + live));
  }

  /**
   * Since when the trigger is there without a gap. What a removed one skipped is not replayed; one
   * that is written again continues there when the clock was set back meanwhile.
   */
  private Instant begin(Version live) {
    Instant begin = live.range().from();
    var earlier =
        versions.values().stream()
            .map(version -> version.now)
            .filter(version -> version.name().equals(live.name()))
            .sorted(Comparator.comparing(Version::id).reversed())
            .toList();
    for (Version version : earlier) {
      if (begin.equals(version.range().until()) && !removed.contains(version.id())) {
        begin = version.range().from();
      }
    }
    return begin;
  }

  /** A clock that was set back reaches an instant late, and the store may fail into the calm. */
  boolean areDecided() {
    return versions.values().stream().allMatch(version -> version.undecided() == null);
  }

  /** When all is over, all that was due is decided, and what was coalesced has a successor. */
  void checkEnd() {
    for (Checked version : versions.values()) {
      unless(version.undecided() == null, "left undecided: " + version.now);
    }
    for (TreeMap<Instant, Fire> rows : ledger.values()) {
      for (Fire row : rows.values()) {
        Instant into = row.into();
        unless(
            into == null || (into.isAfter(row.at()) && rows.containsKey(into)),
            "it was coalesced into nothing: " + row);
      }
    }
  }

  private static void unless(boolean holds, String message) {
    Invariants.unless(holds, Invariant.ONE_ROW_FOR_EACH_INSTANT, () -> message);
  }
}
