package dev.belay.store.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.engine.port.Workflow;
import dev.belay.store.apply.WantedSet.NewSystem;
import dev.belay.store.apply.WantedSet.Prune;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.Registered;
import dev.belay.store.intake.RolledBack;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.read.Reads;
import dev.belay.store.schedule.PostgresSchedules;
import dev.belay.store.schedule.TriggerFault;
import dev.belay.store.schedule.TriggerFault.CalendarInUse;
import dev.belay.store.schedule.TriggerFault.Circle;
import dev.belay.store.schedule.TriggerFault.NoCalendar;
import dev.belay.store.schedule.TriggerNeeds;
import dev.belay.store.system.Declarations.OfFile;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Calendars and chains: what triggers need must be there, and no circle may close. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TriggerChecksTest {

  private static final DayCalendar HOLIDAYS =
      new DayCalendar(
          "holidays",
          "closed",
          Set.of(DayOfWeek.SUNDAY),
          List.of(
              new DayCalendar.Range(LocalDate.of(2026, 12, 24), LocalDate.of(2027, 1, 1)),
              new DayCalendar.Range(LocalDate.of(2027, 5, 1), LocalDate.of(2027, 5, 1))));

  private final StoreFixture store = new StoreFixture();
  private final SetIntake sets = new SetIntake(store.jdbi(), store.ids(), store.hints());
  private final WorkflowIntake workflows =
      new WorkflowIntake(store.jdbi(), store.ids(), store.hints());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void calendars_are_stored_replaced_and_read_back() {
    done(set(calendars(HOLIDAYS, days("free"))));
    assertThat(new PostgresSchedules(store.jdbi()).readCalendars().values())
        .containsExactlyInAnyOrder(HOLIDAYS, days("free"));
    assertThat(new Reads(store.jdbi()).system().calendars())
        .containsExactly(days("free"), HOLIDAYS);
    done(set(calendars(days("holidays"))));
    assertThat(new PostgresSchedules(store.jdbi()).readCalendars())
        .containsOnlyKeys("holidays")
        .containsValue(days("holidays"));
  }

  @Test
  void a_trigger_needs_its_calendar() {
    var etl = daily("etl", "holidays");
    var fault = new NoCalendar(new Workflow("default", "etl"), "holidays", Set.of());
    assertThat(workflows.register(etl, "me")).isEqualTo(new Registered.Refused(List.of(fault)));
    assertThat(sets.plan(set(null, etl))).isEqualTo(new Applied.Refused(List.of(fault)));
    assertThat(faults(set(null, etl))).containsExactly(fault);
    assertThat(faults(set(calendars(days("other")), etl)))
        .containsExactly(new NoCalendar(fault.workflow(), "holidays", Set.of("other")));
    assertThat(store.count("workflow")).isZero();

    done(set(calendars(HOLIDAYS), etl));
    assertThat(workflows.register(etl, "me")).isInstanceOf(Registered.Done.class);
  }

  @Test
  void a_calendar_that_a_trigger_uses_stays() {
    done(set(calendars(HOLIDAYS), daily("etl", "holidays")));
    var used = new CalendarInUse("holidays", new Workflow("default", "etl"), "every 1d");
    assertThat(faults(set(calendars()))).containsExactly(used);
    assertThat(sets.plan(set(calendars()))).isInstanceOf(Applied.Refused.class);
    // A set without a system file leaves it.
    done(set(null, daily("other", null)));
    // In the set, the workflow no longer uses it; or it goes.
    assertThat(faults(set(calendars(), daily("etl", "holidays"))))
        .hasOnlyElementsOfType(NoCalendar.class);
    done(set(calendars(), daily("etl", null)));
    assertThat(store.count("calendar")).isZero();
    assertThat(rollBack("etl", 1)).isInstanceOf(RolledBack.Refused.class);

    done(set(calendars(HOLIDAYS), daily("etl", "holidays")));
    done(new WantedSet(List.of(daily("other", null)), calendars(), Prune.DELETE));
    assertThat(rollBack("etl", 1)).isInstanceOf(RolledBack.Refused.class);
    assertThat(workflows.register(daily("etl", "holidays"), "me"))
        .isInstanceOf(Registered.Refused.class);
    assertThat(rollBack("etl", 2)).isInstanceOf(RolledBack.Done.class);
  }

  @Test
  void a_paused_workflow_keeps_its_calendar() {
    done(set(calendars(HOLIDAYS), daily("etl", "holidays")));
    assertThat(faults(new WantedSet(List.of(daily("other", null)), calendars(), Prune.PAUSE)))
        .singleElement()
        .isInstanceOf(CalendarInUse.class);
  }

  @Test
  void a_circle_is_refused_in_a_set_and_against_what_is_stored() {
    assertThat(faults(set(null, after("a", "c"), after("b", "a"), after("c", "b"))))
        .containsExactly(new Circle("default", List.of("a", "b", "c", "a")));
    assertThat(store.count("workflow")).isZero();

    done(set(null, after("b", "a"), after("c", "b")));
    var circle = new Circle("default", List.of("a", "b", "c", "a"));
    assertThat(faults(set(null, after("a", "c")))).containsExactly(circle);
    assertThat(workflows.register(after("a", "c"), "me"))
        .isEqualTo(new Registered.Refused(List.of(circle)));
    // In another tenant, it is another workflow.
    assertThat(workflows.register(of("other", "a", "{workflow: c}"), "me"))
        .isInstanceOf(Registered.Done.class);
    // The set opens the circle that it would close.
    done(set(null, after("a", "c"), after("b", "start")));
  }

  @Test
  void a_rollback_or_a_restored_workflow_closes_no_circle() {
    done(set(null, after("a", "b")));
    done(set(null, daily("a", null)));
    done(set(null, after("b", "a")));
    assertThat(rollBack("a", 1))
        .isEqualTo(new RolledBack.Refused(List.of(new Circle("default", List.of("a", "b", "a")))));

    done(new WantedSet(List.of(daily("c", null), daily("a", null)), null, Prune.DELETE));
    done(set(null, after("a", "b")));
    assertThat(workflows.register(after("b", "a"), "me")).isInstanceOf(Registered.Refused.class);
    assertThat(rollBack("b", 1)).isInstanceOf(RolledBack.Refused.class);
  }

  @Test
  void two_registers_at_once_close_no_circle() throws Exception {
    for (int round = 0; round < 10; round++) {
      store.clear();
      List<Callable<Registered>> acts =
          List.of(
              () -> workflows.register(after("a", "b"), "me"),
              () -> workflows.register(after("b", "a"), "me"));
      try (var threads = Executors.newFixedThreadPool(2)) {
        var done =
            threads.invokeAll(acts).stream()
                .filter(each -> each.resultNow() instanceof Registered.Done)
                .count();
        assertThat(done).isEqualTo(1);
      }
    }
  }

  @Test
  void a_workflow_that_does_not_exist_is_told() {
    done(set(null, daily("there", null), daily("gone", null)));
    done(new WantedSet(List.of(daily("there", null)), null, Prune.DELETE));
    var wanted = set(null, after("a", "gone"), after("b", "there"), after("c", "b"));
    assertThat(((Applied.Done) sets.plan(wanted)).missing())
        .containsExactly(new Workflow("default", "gone"));
    assertThat(((Registered.Done) workflows.register(after("d", "typo"), "me")).missing())
        .containsExactly(new Workflow("default", "typo"));
    assertThat(
            ((Applied.Done)
                    sets.plan(new WantedSet(List.of(after("e", "there")), null, Prune.DELETE)))
                .missing())
        .containsExactly(new Workflow("default", "there"));
  }

  private static NewWorkflow daily(String name, @Nullable String calendar) {
    return of(
        "default",
        name,
        "{every: 1d%s}".formatted(calendar == null ? "" : ", calendar: " + calendar));
  }

  private static NewWorkflow after(String name, String upstream) {
    return of("default", name, "{workflow: " + upstream + "}");
  }

  private static NewWorkflow of(String tenant, String name, String trigger) {
    var source =
        "name: %s\ntenant: %s\ntriggers: [%s]\ntasks: [{name: t, command: [x]}]"
            .formatted(name, tenant, trigger);
    var spec = ((Parsed.Valid) WorkflowFile.parse("w.yaml", source)).spec();
    var json = SpecCodec.toJson(spec);
    return new NewWorkflow(
        tenant,
        name,
        1,
        json,
        source,
        new TriggerNeeds(named(trigger, "calendar: "), named(trigger, "workflow: ")));
  }

  private static Set<String> named(String trigger, String key) {
    int at = trigger.indexOf(key);
    return at < 0 ? Set.of() : Set.of(trigger.substring(at + key.length(), trigger.length() - 1));
  }

  private static DayCalendar days(String name) {
    return new DayCalendar(name, null, Set.of(DayOfWeek.MONDAY), List.of());
  }

  private static NewSystem calendars(DayCalendar... calendars) {
    var text = Stream.of(calendars).map(SpecCodec::calendarToJson).toList().toString();
    return new NewSystem(
        text, "source " + text, new OfFile(List.of(), List.of(), List.of()), List.of(calendars));
  }

  private static WantedSet set(@Nullable NewSystem system, NewWorkflow... files) {
    return new WantedSet(List.of(files), system, Prune.KEEP);
  }

  private void done(WantedSet wanted) {
    assertThat(sets.apply(wanted, null, "me")).isInstanceOf(Applied.Done.class);
  }

  private List<TriggerFault> faults(WantedSet wanted) {
    return ((Applied.Refused) sets.apply(wanted, null, "me")).faults();
  }

  private RolledBack rollBack(String name, int version) {
    return workflows.rollBack("default", name, version, "me");
  }
}
