package dev.belay.store.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.intake.NewRun.Params;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkflowIntakeTest {

  private final StoreFixture store = new StoreFixture();
  private final WorkflowIntake workflows =
      new WorkflowIntake(store.jdbi(), store.ids(), store.hints());
  private final RunIntake runs = new RunIntake(store.jdbi(), store.ids(), store.hints());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_changed_spec_is_a_new_version_and_the_same_one_is_not() {
    assertThat(register("{\"a\": 1}").version()).isEqualTo(1);
    assertThat(register("{\"a\": 1}")).matches(again -> !again.created() && again.version() == 1);
    assertThat(register("{\"a\": 2}").version()).isEqualTo(2);
    assertThat(register("{\"a\": 1}").version()).isEqualTo(3);
  }

  @Test
  void the_loops_of_triggers_hear_of_every_change_of_a_workflow() {
    register("{\"a\": 1}");
    register("{\"a\": 2}");
    assertThat(store.hinted()).containsOnly("triggersChanged", "routingChanged");
    store.hinted().clear();
    register("{\"a\": 2}");
    workflows.rollBack("default", "etl", 7, "me");
    assertThat(store.hinted()).isEmpty();
    workflows.rollBack("default", "etl", 1, "me");
    assertThat(store.hinted()).containsExactly("triggersChanged", "routingChanged");
  }

  @Test
  void concurrent_registers_of_one_spec_make_one_version() throws Exception {
    var answers = TaskIntakeTest.race(8, () -> register("{\"a\": 1}"));
    assertThat(answers.stream().filter(Registration::created)).hasSize(1);
    assertThat(store.count("workflow")).isEqualTo(1);
  }

  @Test
  void concurrent_registers_of_different_specs_all_get_their_version() throws Exception {
    var number = new AtomicInteger();
    var answers =
        TaskIntakeTest.race(24, () -> register("{\"a\": " + number.incrementAndGet() + "}"));
    assertThat(answers.stream().map(Registration::version))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 24).boxed().toList());
  }

  @Test
  void a_triggered_run_is_queued_with_history_and_a_mark() {
    register("{}");
    var run = ((Triggered.Accepted) trigger(null, null)).run();
    assertThat(
            store.text(
                "SELECT state || ' ' || (params->>'id') || ' ' || (logical_date = created_at) FROM"
                    + " run"))
        .isEqualTo("QUEUED " + run + " true");
    assertThat(store.text("SELECT to_state || ' ' || reason || ' ' || actor FROM run_history"))
        .isEqualTo("QUEUED triggered me");
    assertThat(store.text("SELECT run_id FROM mark")).isEqualTo(run.toString());
    assertThat(store.hinted()).containsExactly("triggersChanged", "routingChanged", "runChanged");
  }

  @Test
  void a_refused_trigger_stores_nothing_not_even_its_key() {
    register("{}");
    store.hinted().clear();
    var before = store.stored();
    assertThat(trigger(7, new IdempotencyKey("default", "k", "01")))
        .isEqualTo(new Triggered.NoWorkflow());
    assertThat(
            runs.trigger(
                new NewRun(
                    "default",
                    "etl",
                    null,
                    new IdempotencyKey("default", "k", "01"),
                    facts -> new Params.Refused(List.of("no"))),
                "me"))
        .isEqualTo(new Triggered.Refused(List.of("no")));
    assertThat(store.stored()).isEqualTo(before);
    assertThat(store.hinted()).isEmpty();
  }

  @Test
  void concurrent_triggers_with_one_key_start_one_run() throws Exception {
    register("{}");
    var answers =
        TaskIntakeTest.race(8, () -> trigger(null, new IdempotencyKey("default", "k", "01")));
    assertThat(answers.stream().distinct()).hasSize(1);
    assertThat(store.count("run")).isEqualTo(1);
    assertThat(store.count("mark")).isEqualTo(1);
    assertThat(trigger(null, new IdempotencyKey("default", "k", "02")))
        .isEqualTo(new Triggered.KeyConflict("k"));
  }

  private Registration register(String spec) {
    var workflow = new NewWorkflow("default", "etl", 1, spec, "source");
    return ((Registered.Done) workflows.register(workflow, "me")).latest();
  }

  private Triggered trigger(@Nullable Integer version, @Nullable IdempotencyKey key) {
    return runs.trigger(
        new NewRun(
            "default",
            "etl",
            version,
            key,
            facts -> new Params.Resolved("{\"id\": \"" + facts.id() + "\"}")),
        "me");
  }
}
