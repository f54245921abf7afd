package dev.belay.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.schedule.SchedulePhase;
import dev.belay.engine.schedule.ScheduleSettings;
import dev.belay.store.apply.Applied;
import dev.belay.store.apply.SetIntake;
import dev.belay.store.apply.WantedSet;
import dev.belay.store.apply.WantedSet.NewSystem;
import dev.belay.store.apply.WantedSet.Prune;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.system.Declarations.OfFile;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What calendars of the system file do to triggers that are due. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TriggerCalendarsTest {

  private static final String CALENDAR = ", calendar: holidays";

  private final LiveStore store = new LiveStore();
  private final SetIntake sets = new SetIntake(store.jdbi(), store.ids(), store.rows().hints());

  @BeforeEach
  void clear() {
    store.rows().clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_trigger_does_not_fire_on_the_days_of_its_calendar() {
    apply(CALENDAR, allDays());
    due();
    fire();
    assertThat(outcomes()).isEqualTo("skipped calendar: holidays");
    assertThat(store.rows().count("run")).isZero();

    apply(CALENDAR, new DayCalendar("holidays", null, Set.of(), List.of()));
    due();
    fire();
    assertThat(outcomes()).contains("fired");
  }

  @Test
  void what_is_left_of_a_trigger_does_not_fire_when_its_calendar_is_gone() {
    apply(CALENDAR, allDays());
    due();
    apply("");
    assertThat(store.rows().count("calendar")).isZero();
    fire();
    assertThat(outcomes()).isEqualTo("skipped calendar: holidays");
    assertThat(
            store.rows().count("trigger_version WHERE until_at IS NOT NULL AND due_at IS NOT NULL"))
        .isZero();
  }

  private static DayCalendar allDays() {
    return new DayCalendar("holidays", null, EnumSet.allOf(DayOfWeek.class), List.of());
  }

  private void apply(String more, DayCalendar... calendars) {
    var source =
        "name: w\ntriggers: [{every: 1d, name: daily%s}]\ntasks: [{name: t, command: [x]}]"
            .formatted(more);
    var spec = ((Parsed.Valid) WorkflowFile.parse("w.yaml", source)).spec();
    var needs = new TriggerNeeds(more.isEmpty() ? Set.of() : Set.of("holidays"), Set.of());
    var workflow = new NewWorkflow("default", "w", 1, SpecCodec.toJson(spec), source, needs);
    var text = List.of(calendars).toString();
    var system =
        new NewSystem(text, text, new OfFile(List.of(), List.of(), List.of()), List.of(calendars));
    assertThat(sets.apply(new WantedSet(List.of(workflow), system, Prune.KEEP), null, "me"))
        .isInstanceOf(Applied.Done.class);
  }

  /** The midnight before now is due. */
  private void due() {
    store
        .rows()
        .run(
            "UPDATE trigger_version SET next_at = date_trunc('day', belay_now(), 'UTC'), due_at ="
                + " belay_now(), from_at = belay_now() - interval '2 days' WHERE until_at IS NULL",
            "DELETE FROM fire");
  }

  private String outcomes() {
    return store.rows().text("SELECT outcome || coalesce(' ' || reason, '') FROM fire");
  }

  private void fire() {
    RunParams none =
        requests ->
            requests.stream()
                .<RunParams.Answer>map(request -> new RunParams.Answer.Resolved("{}"))
                .toList();
    var parts =
        new SchedulePhase.Parts(
            new PostgresSchedules(store.jdbi()),
            store.transactions,
            none,
            json -> (TriggerSpec.Timed) SpecCodec.triggerFromJson(json),
            store.ids(),
            Hints.NONE,
            Meters.NONE,
            Runnable::run);
    new SchedulePhase(parts, () -> Optional.of(store.epoch()), ScheduleSettings.DEFAULT).runOnce();
  }
}
