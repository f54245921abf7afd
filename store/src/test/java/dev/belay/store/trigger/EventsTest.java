package dev.belay.store.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.EventId;
import dev.belay.engine.loop.Background;
import dev.belay.engine.port.Epoch;
import dev.belay.engine.port.Meters;
import dev.belay.engine.port.TriggerMeters;
import dev.belay.engine.schedule.RunParams;
import dev.belay.engine.trigger.ChainPhase.Starts;
import dev.belay.engine.trigger.EventPhase;
import dev.belay.engine.trigger.EventStart;
import dev.belay.engine.trigger.TriggerPool;
import dev.belay.engine.trigger.WindowPhase;
import dev.belay.store.fixture.LiveStore;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.trigger.NewEvent.Source;
import dev.belay.workflow.CelEvents;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events from their arrival to the runs that they start. */
class EventsTest {

  private static final int DEPTH_MAX = 3;

  private final LiveStore store = new LiveStore();
  private final EventIntake intake =
      new EventIntake(store.jdbi(), store.ids(), store.rows().hints());
  private Background pool = Background.DIRECT;
  private Optional<Epoch> epoch = Optional.of(store.epoch());
  private Runnable beforeStep = () -> {};
  private long ticks;

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void event_starts_a_run_with_its_data_as_parameters() {
    register("size: {type: int}", "{event: arrived, params: {size: \"${{ event.size }}\"}}");
    var event = send("arrived", null, "{\"size\": 7}");
    decide();
    assertThat(fires()).containsExactly("fired null run");
    assertThat(
            runs(
                "SELECT params ->> 'size' || ' ' || depth || ' ' || created_by || ' '"
                    + " || (event_id = '"
                    + event.id()
                    + "') FROM run"))
        .containsExactly("7 0 event true");
    assertThat(store.rows().hinted()).contains("event");
  }

  @Test
  void event_with_a_known_key_is_the_first_one() {
    register("", "{event: arrived}");
    var first = send("arrived", "k", "{\"a\": 1}");
    decide();
    var second = send("arrived", "k", "{\"a\":1}");
    decide();
    assertThat(first.isNew()).isTrue();
    assertThat(second).isEqualTo(new StoredEvents.Stored(first.id(), false));
    assertThat(fires()).containsExactly("fired null run");
    assertThat(send("other", "k", "{}").isNew()).isTrue();
  }

  @Test
  void known_key_with_other_data_is_refused_and_nothing_of_its_list_is_stored() {
    send("arrived", "k", "{\"a\": 1}");
    var answer =
        intake.store(
            List.of(event("arrived", "new", "{}"), event("arrived", "k", "{\"a\": 2}")), "me");
    assertThat(answer).isEqualTo(new StoredEvents.KeyConflict(List.of("k")));
    assertThat(store.rows().count("event")).isEqualTo(1);
  }

  @Test
  void key_may_be_named_twice_in_one_list() {
    var answer = intake.store(List.of(event("a", "k", "{}"), event("a", "k", "{}")), "me");
    var stored = ((StoredEvents.Accepted) answer).events();
    assertThat(stored).extracting(StoredEvents.Stored::isNew).containsExactly(true, false);
    assertThat(stored.get(1).id()).isEqualTo(stored.get(0).id());
  }

  @Test
  void triggers_with_slow_filters_share_the_time_so_that_another_has_its_turn() {
    register(
        "",
        IntStream.range(0, 20)
            .mapToObj(i -> "{name: t%d, event: arrived, when: \"${{ true }}\"}".formatted(i))
            .collect(Collectors.joining(", ")));
    for (int i = 0; i < 30; i++) {
      send("arrived", null, "{}");
    }
    var waiting = new ArrayList<Runnable>();
    pool =
        work -> {
          waiting.add(work);
          return Optional.of(Background.Ticket.DONE);
        };
    decide();
    assertThat(waiting).hasSize(20);
    long before = ticks;
    waiting.forEach(Runnable::run);
    assertThat(Duration.ofNanos(ticks - before)).isLessThan(Duration.ofMillis(1_500));
  }

  @Test
  void data_of_a_window_is_the_newest_that_fits() {
    var sent =
        List.of("{\"a\": 1}", "{\"a\": 22}", "{\"a\": 333}").stream()
            .map(data -> new EventId(send("arrived", null, data).id()))
            .toList();
    var reads = new PostgresEvents(store.jdbi());
    assertThat(reads.readData(sent, 100))
        .containsExactly("{\"a\": 1}", "{\"a\": 22}", "{\"a\": 333}");
    assertThat(reads.readData(sent, 19)).containsExactly("{\"a\": 22}", "{\"a\": 333}");
    assertThat(reads.readData(sent, 18)).containsExactly("{\"a\": 333}");
    assertThat(reads.readData(sent, 1)).containsExactly("{\"a\": 333}");
  }

  @Test
  void filter_decides_and_a_filter_without_a_value_fails_with_an_alert() {
    register("", "{event: arrived, when: \"${{ event.size > 0 }}\"}");
    send("arrived", null, "{\"size\": 1}");
    send("arrived", null, "{\"size\": 0}");
    send("arrived", null, "{}");
    send("arrived", null, "{\"size\": \"x\"}");
    decide();
    assertThat(fires()).hasSize(4).contains("fired null run", "filtered null null");
    assertThat(fires().stream().filter(fire -> fire.startsWith("failed"))).hasSize(2);
    assertThat(store.rows().count("alert WHERE kind = 'trigger_failed'")).isEqualTo(1);
  }

  @Test
  void debounced_events_start_one_run_when_none_came_for_a_while() {
    register("", "{event: arrived, debounce: {quiet: 10m, max: 1h}}");
    send("arrived", null, "{}");
    send("arrived", null, "{}");
    send("arrived", null, "{}");
    decide();
    assertThat(fires()).containsOnly("waiting null null").hasSize(3);
    later(500);
    decide();
    assertThat(fires()).containsOnly("waiting null null");
    later(200);
    decide();
    assertThat(fires())
        .containsExactlyInAnyOrder("fired null run", "coalesced null run", "coalesced null run");
    assertThat(store.rows().count("run")).isEqualTo(1);
  }

  @Test
  void debounce_is_not_later_than_its_maximum_though_events_go_on() {
    register("", "{event: arrived, debounce: {quiet: 10m, max: 1h}}");
    for (int i = 0; i < 13; i++) {
      send("arrived", null, "{}");
      decide();
      later(300);
    }
    decide();
    assertThat(store.rows().count("run")).isEqualTo(1);
    assertThat(store.rows().count("event_fire WHERE outcome = 'coalesced'")).isEqualTo(11);
    assertThat(store.rows().count("event_fire WHERE outcome = 'waiting'")).isEqualTo(1);
  }

  @Test
  void batch_is_over_when_it_is_full_or_its_oldest_event_waited_long_enough() {
    register(
        "n: {type: int}",
        "{event: arrived, batch: {max: 2, wait: 1h}, params: {n: \"${{ events.size() }}\"}}");
    for (int i = 0; i < 5; i++) {
      send("arrived", null, "{}");
    }
    decide();
    assertThat(runs("SELECT params ->> 'n' FROM run")).containsExactly("2", "2");
    later(3_601);
    decide();
    assertThat(runs("SELECT params ->> 'n' FROM run ORDER BY id")).containsExactly("2", "2", "1");
  }

  @Test
  void paused_deleted_and_deep_are_said() {
    register("", "{event: arrived}");
    send("arrived", null, "{}");
    store.rows().run("UPDATE workflow_control SET paused_at = now(), paused_by = 'me'");
    decide();
    store.rows().run("UPDATE workflow_control SET paused_at = NULL, paused_by = NULL");
    send("arrived", null, "{}");
    store.rows().run("UPDATE trigger_version SET paused_at = now(), paused_by = 'me'");
    decide();
    store.rows().run("UPDATE trigger_version SET paused_at = NULL, paused_by = NULL");
    send("arrived", null, "{}");
    store
        .rows()
        .run("UPDATE event SET depth = 4 WHERE id = (SELECT max(id::text)::uuid FROM event)");
    decide();
    assertThat(fires())
        .containsExactly(
            "skipped paused null", "skipped trigger_paused null", "skipped depth null");
  }

  @Test
  void event_of_a_run_counts_its_depth() {
    var run = store.trigger();
    store.rows().run("UPDATE run SET depth = 2");
    var sent =
        intake.store(
            List.of(new NewEvent("default", "e", null, "{}", Source.API, run.value())), "me");
    assertThat(sent).isInstanceOf(StoredEvents.Accepted.class);
    assertThat(store.rows().count("event WHERE depth = 3 AND run_id = '" + run + "'")).isEqualTo(1);
  }

  @Test
  void parameters_that_do_not_fit_are_said() {
    register("n: {type: int}", "{event: arrived, params: {n: \"${{ event.n }}\"}}");
    send("arrived", null, "{\"n\": 1}");
    send("arrived", null, "{}");
    decide();
    assertThat(fires()).hasSize(2).contains("fired null run");
    assertThat(fires().getLast()).startsWith("skipped params: ");
  }

  /** PostgreSQL stores no NUL. */
  @Test
  void run_that_cannot_be_stored_is_said_and_holds_up_no_other() {
    register(
        "p: {type: string}",
        "{event: arrived, params: {p: \"${{ event.bad ? '\\\\u0000' : 'x' }}\"}}");
    send("arrived", null, "{\"bad\": false}");
    send("arrived", null, "{\"bad\": true}");
    send("arrived", null, "{\"bad\": false}");
    decide();
    assertThat(fires())
        .containsExactly(
            "fired null run", "skipped params: they cannot be stored null", "fired null run");
  }

  @Test
  void window_whose_run_cannot_be_stored_is_over() {
    register(
        "p: {type: string}",
        "{event: arrived, batch: {max: 2, wait: 1h}, params: {p: \"${{ '\\\\u0000' }}\"}}");
    send("arrived", null, "{}");
    send("arrived", null, "{}");
    decide();
    assertThat(fires()).containsOnly("skipped params: they cannot be stored null").hasSize(2);
  }

  @Test
  void window_that_ends_while_the_workflow_is_paused_or_without_parameters_is_said() {
    register(
        "p: {type: string}", "{event: arrived, debounce: 1s, params: {p: \"${{ event.p }}\"}}");
    send("arrived", null, "{}");
    later(2);
    decide();
    store.rows().run("UPDATE workflow_control SET paused_at = now(), paused_by = 'me'");
    send("arrived", null, "{}");
    later(2);
    decide();
    assertThat(fires().getFirst()).startsWith("skipped params: ");
    assertThat(fires().getLast()).isEqualTo("skipped paused null");
  }

  @Test
  void crash_between_filter_and_run_starts_one_run() {
    register("", "{event: arrived, when: \"${{ true }}\"}");
    send("arrived", null, "{}");
    pool = work -> Optional.of(Background.Ticket.DONE); // never comes back
    decide();
    assertThat(fires()).containsExactly("pending null null");
    pool = Background.DIRECT;
    decide();
    assertThat(fires()).containsExactly("fired null run");
  }

  /** The first result is there when the next step begins, the second one while it reads. */
  @Test
  void events_that_are_evaluated_twice_start_one_run_each() {
    register("", "{event: arrived, when: \"${{ true }}\"}");
    send("arrived", null, "{}");
    send("arrived", null, "{}");
    var later = new ArrayList<Runnable>();
    beforeStep =
        () -> {
          later.forEach(Runnable::run);
          later.clear();
        };
    boolean[] first = {true};
    pool =
        work -> {
          if (first[0]) {
            later.add(work);
          } else {
            work.run();
          }
          first[0] = false;
          return Optional.of(Background.Ticket.DONE);
        };
    decide();
    assertThat(fires()).containsExactly("fired null run", "fired null run");
    assertThat(store.rows().count("run")).isEqualTo(2);
  }

  @Test
  void trigger_with_a_filter_that_hangs_delays_no_other() {
    register("", "{event: arrived, when: \"${{ true }}\"}");
    registerAs("plain", "", "{event: arrived}");
    for (int i = 0; i < 300; i++) {
      send("arrived", null, "{}");
    }
    pool = work -> Optional.of(Background.Ticket.DONE);
    decide();
    assertThat(store.rows().count("event_fire WHERE outcome = 'fired'")).isEqualTo(300);
    assertThat(store.rows().count("event_fire WHERE outcome = 'pending'")).isEqualTo(300);
  }

  @Test
  void deposed_leader_decides_nothing() {
    register("", "{event: arrived}");
    send("arrived", null, "{}");
    epoch = Optional.of(new Epoch(7));
    decide();
    assertThat(fires()).containsExactly("pending null null");
  }

  @Test
  void old_events_are_forgotten_unless_a_trigger_has_not_decided_them() {
    register("", "{event: arrived}");
    send("arrived", null, "{}");
    decide();
    send("arrived", null, "{}");
    store.rows().run("UPDATE event SET received_at = received_at - interval '40 days'");
    int forgotten =
        store.jdbi().inTransaction(handle -> EventIntake.forget(handle, Duration.ofDays(30), 10));
    assertThat(forgotten).isEqualTo(1);
    assertThat(fires()).containsExactly("pending null null");
  }

  private void register(String params, String trigger) {
    registerAs("w", params, trigger);
  }

  private void registerAs(String name, String params, String trigger) {
    var file =
        "name: %s\nparams: {%s}\ntriggers: [%s]\ntasks: [{name: a, command: [x]}]"
            .formatted(name, params, trigger);
    var parsed = WorkflowFile.parse("w.yaml", file);
    if (!(parsed instanceof Parsed.Valid valid)) {
      throw new AssertionError(parsed);
    }
    new WorkflowIntake(store.jdbi(), store.ids(), store.rows().hints())
        .register(new NewWorkflow("default", name, 1, SpecCodec.toJson(valid.spec()), file), "me");
  }

  private static NewEvent event(String name, @Nullable String key, String data) {
    return new NewEvent("default", name, key, data, Source.API, null);
  }

  private StoredEvents.Stored send(String name, @Nullable String key, String data) {
    var answer = intake.store(List.of(event(name, key, data)), "me");
    return ((StoredEvents.Accepted) answer).events().getFirst();
  }

  /** The events that wait came so much earlier. */
  private void later(int seconds) {
    store
        .rows()
        .run(
            "UPDATE event_fire SET received_at = received_at - interval '"
                + seconds
                + " seconds' WHERE outcome IN ('pending', 'waiting')");
  }

  /** A new leader, until nothing is left to decide now. */
  private void decide() {
    var reads = new PostgresEvents(store.jdbi());
    var expressions = new CelEvents(() -> 0);
    RunParams params =
        requests ->
            requests.stream()
                .<RunParams.Answer>map(
                    request -> new RunParams.Answer.Resolved(JsonValues.write(request.given())))
                .toList();
    var start =
        new EventStart(
            store.transactions,
            new Starts(params, SpecCodec::triggerFromJson, store.ids(), DEPTH_MAX),
            expressions,
            store.rows().hints(),
            Meters.NONE,
            TriggerMeters.NONE);
    var windows =
        new WindowPhase(
            reads, start, new TriggerPool<>(pool, Duration.ofMinutes(1), () -> {}), this::tick);
    var phase =
        new EventPhase(
            reads,
            expressions,
            start,
            windows,
            new TriggerPool<>(pool, Duration.ofMinutes(1), () -> {}),
            () -> {
              beforeStep.run();
              return epoch;
            },
            TriggerMeters.NONE,
            this::tick);
    for (int i = 0; i < 50; i++) {
      phase.runOnce();
    }
  }

  /** Each look is long after the last one. */
  private long tick() {
    ticks += Duration.ofMillis(10).toNanos();
    return ticks;
  }

  private List<String> fires() {
    List<String> fires = new ArrayList<>();
    store
        .jdbi()
        .useHandle(
            handle ->
                handle
                    .createQuery("SELECT outcome, reason, run_id FROM event_fire ORDER BY event_id")
                    .map(
                        (row, context) ->
                            row.getString("outcome")
                                + " "
                                + row.getString("reason")
                                + " "
                                + (row.getObject("run_id", UUID.class) == null ? null : "run"))
                    .forEach(fires::add));
    return fires;
  }

  private List<String> runs(String sql) {
    return store.jdbi().withHandle(handle -> handle.createQuery(sql).mapTo(String.class).list());
  }
}
