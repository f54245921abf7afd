package dev.belay.simulation.contract;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TriggerId;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.RunParams.Answer;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.engine.schedule.TriggerPauses;
import dev.belay.engine.statement.PauseStatements.TriggerName;
import dev.belay.simulation.ObservedTriggers;
import dev.belay.simulation.ObservedTriggers.Fire;
import dev.belay.simulation.model.LockNotAvailable;
import dev.belay.workflow.SpecCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The timed triggers of the workflow w, with the real phase, step by step. */
final class Schedules {

  private static final ScheduleSettings SETTINGS =
      new ScheduleSettings(3, 4, Duration.ofSeconds(1), Duration.ofSeconds(30));

  private static final String RESUMED = "resumed";

  private final Stage stage;
  private final ObservedTriggers observed;
  private final TriggerPauses pauses;
  private final SchedulePhase phase;

  Schedules(Stage stage) {
    this.stage = stage;
    this.observed = stage.observed.triggers();
    this.pauses = new TriggerPauses(stage.store.transactions(), Hints.NONE);
    this.phase = phase(new Answer.Resolved("{}"));
  }

  /** One whose parameters all have this answer. */
  SchedulePhase phase(Answer answer) {
    RunParams params = requests -> requests.stream().map(request -> answer).toList();
    return new SchedulePhase(
        new SchedulePhase.Parts(
            stage.store.schedules(),
            stage.store.transactions(),
            params,
            json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
            stage.ids(),
            Hints.NONE,
            Meters.NONE,
            Runnable::run),
        () -> Optional.of(stage.epoch),
        SETTINGS);
  }

  /** A workflow w of one task a, with these triggers. */
  boolean register(String... triggers) {
    return registerLimited("{}", triggers);
  }

  boolean registerLimited(String limits, String... triggers) {
    stage.runs.register(
        "name: w\nrun: %s\ntriggers: [%s]\ntasks: [{name: a, command: [x]}]"
            .formatted(limits, String.join(", ", triggers)));
    return true;
  }

  /** Without triggers. */
  boolean registerNone() {
    stage.runs.register("name: w\ntasks: [{name: a, command: [x]}]");
    return true;
  }

  boolean delete() {
    stage.intake.delete("w");
    return true;
  }

  boolean pause(String trigger) {
    return pauses.pause(name(trigger), "client").isPresent();
  }

  boolean resume(String trigger) {
    return pauses.resume(name(trigger), "client").isPresent();
  }

  private static TriggerName name(String trigger) {
    return new TriggerName(WorkflowSpec.DEFAULT_TENANT, "w", trigger);
  }

  /** Decides all that is due; returns how long the loop would sleep. */
  Duration fire() {
    return phase.runOnce();
  }

  /** For one that must come first: it fails when it would have to wait, and not only later. */
  boolean fireFirst() {
    int before = ledger().size();
    fire();
    if (ledger().size() == before) {
      throw new LockNotAvailable("something that the leader needs");
    }
    return true;
  }

  /** The clock moves on to this time of the day, and the leader looks. */
  Duration fireAt(String time) {
    stepTo(time);
    return fire();
  }

  boolean stepTo(String time) {
    Instant wanted =
        stage.clock.instant().atOffset(ZoneOffset.UTC).with(LocalTime.parse(time)).toInstant();
    stage.clock.step(Duration.between(stage.clock.instant(), wanted));
    return true;
  }

  /**
   * Rows as text: the instant, the outcome, and why it was skipped or the instant that fires for
   * it.
   */
  List<String> ledger() {
    return rows().map(Schedules::row).toList();
  }

  List<String> ledger(String trigger) {
    Map<String, List<Fire>> byName =
        rows()
            .collect(Collectors.groupingBy(row -> nameOf(row), TreeMap::new, Collectors.toList()));
    return byName.getOrDefault(trigger, List.of()).stream().map(Schedules::row).toList();
  }

  TriggerId trigger(String name) {
    return observed.versionsAfter(0).stream()
        .map(version -> version.name())
        .filter(known -> known.name().equals(name))
        .findFirst()
        .orElseThrow()
        .trigger();
  }

  private String nameOf(Fire row) {
    return observed.versionsAfter(0).stream()
        .map(version -> version.name())
        .filter(name -> name.trigger().equals(row.trigger()))
        .findFirst()
        .orElseThrow()
        .name();
  }

  /** By trigger and instant, each as it is now. */
  private Stream<Fire> rows() {
    Map<String, Fire> latest = new TreeMap<>();
    observed.firesAfter(0).forEach(row -> latest.put(row.at() + " " + row.trigger(), row));
    return latest.values().stream();
  }

  private static String row(Fire row) {
    return Stream.of(time(row.at()), row.outcome(), row.reason(), time(row.into()))
        .filter(word -> word != null && !word.equals(RESUMED))
        .collect(Collectors.joining(" "));
  }

  private static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : LocalTime.ofInstant(at, ZoneOffset.UTC).toString();
  }

  /** How late each row was decided, by the clock. */
  List<Duration> lateness() {
    return rows().map(row -> Duration.between(row.due(), row.decidedAt())).toList();
  }

  /** The runs of the ledger, in the order of their instants. */
  List<RunId> runs() {
    return rows().flatMap(row -> Stream.ofNullable(row.run())).toList();
  }

  ObservedTriggers.Run facts(RunId run) {
    return observed.runs(List.of(run)).getFirst();
  }

  /** The instants that the next look would decide first, of live versions and of others. */
  List<String> cursors() {
    Map<Object, ObservedTriggers.Version> latest = new TreeMap<>();
    observed.versionsAfter(0).forEach(version -> latest.put(version.id().toString(), version));
    return latest.values().stream()
        .flatMap(version -> Stream.ofNullable(time(version.cursor().next())))
        .sorted()
        .toList();
  }
}
