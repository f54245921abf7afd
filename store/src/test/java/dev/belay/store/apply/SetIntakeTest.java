package dev.belay.store.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.store.apply.Plan.Action;
import dev.belay.store.apply.Plan.Step;
import dev.belay.store.apply.WantedSet.NewSystem;
import dev.belay.store.apply.WantedSet.Prune;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.store.intake.NewRun;
import dev.belay.store.intake.NewRun.Params;
import dev.belay.store.intake.NewWorkflow;
import dev.belay.store.intake.Registered;
import dev.belay.store.intake.Registration;
import dev.belay.store.intake.RolledBack;
import dev.belay.store.intake.RunIntake;
import dev.belay.store.intake.Triggered;
import dev.belay.store.intake.WorkflowIntake;
import dev.belay.store.read.Page;
import dev.belay.store.read.Reads;
import dev.belay.store.system.Declarations.OfFile;
import dev.belay.store.system.PostgresRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SetIntakeTest {

  private final StoreFixture store = new StoreFixture();
  private final SetIntake sets = new SetIntake(store.jdbi(), store.ids(), store.hints());
  private final WorkflowIntake workflows =
      new WorkflowIntake(store.jdbi(), store.ids(), store.hints());
  private final RunIntake runs = new RunIntake(store.jdbi(), store.ids(), store.hints());
  private final Reads reads = new Reads(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void a_set_creates_changes_and_keeps_and_applied_again_changes_nothing() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    var second = set(Prune.KEEP, file("c", 1), file("a", 1), file("b", 2));

    assertThat(told(planned(second).plan())).isEqualTo("UNCHANGED a 1, CHANGE b 2, CREATE c 1");
    assertThat(store.count("workflow")).isEqualTo(2);

    var plan = apply(second);
    assertThat(told(plan)).isEqualTo("UNCHANGED a 1, CHANGE b 2, CREATE c 1");
    assertThat(plan.steps().get(1).before()).isEqualTo("source 1");
    var stored = store.stored();

    assertThat(apply(second).changes()).isFalse();
    assertThat(store.stored()).isEqualTo(stored);
    assertThat(register(file("b", 2)).created()).isFalse();
  }

  @Test
  void pruned_workflows_are_deleted_in_the_tenants_of_the_set_only() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1), file("other", "c", 1)));
    var set = set(Prune.DELETE, file("a", 1));

    assertThat(told(apply(set))).isEqualTo("UNCHANGED a 1, DELETE b 1");
    assertThat(apply(set).changes()).isFalse();
    assertThat(names(false)).containsExactly("a");
    assertThat(names(true)).containsExactly("b");
    assertThat(store.text("SELECT count(*) FROM workflow_control WHERE deleted_by = 'me'"))
        .isEqualTo("1");
  }

  @Test
  void pruned_workflows_may_be_paused_instead() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    var set = set(Prune.PAUSE, file("a", 1));

    assertThat(told(apply(set))).isEqualTo("UNCHANGED a 1, PAUSE b 1");
    assertThat(apply(set).changes()).isFalse();
    assertThat(store.text("SELECT name FROM workflow_control WHERE paused_by = 'me'"))
        .isEqualTo("b");
    assertThat(trigger("b", null)).isInstanceOf(Triggered.Accepted.class);
  }

  @Test
  void a_deleted_workflow_keeps_its_runs_and_starts_no_more_until_it_comes_back() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    var run = ((Triggered.Accepted) trigger("b", null)).run();
    apply(set(Prune.DELETE, file("a", 1)));

    assertThat(trigger("b", null)).isEqualTo(new Triggered.Deleted());
    assertThat(reads.run(run)).isPresent();
    assertThat(store.text("SELECT state || ' ' || (SELECT count(*) FROM mark) FROM run"))
        .isEqualTo("QUEUED 1");
    assertThat(reads.workflow("default", "b", null).orElseThrow().workflow().deletedBy())
        .isEqualTo("me");

    assertThat(told(apply(set(Prune.KEEP, file("b", 1))))).isEqualTo("RESTORE b 1");
    assertThat(trigger("b", null)).isInstanceOf(Triggered.Accepted.class);

    apply(set(Prune.DELETE, file("a", 1)));
    assertThat(register(file("b", 1))).matches(back -> back.restored() && !back.created());
    apply(set(Prune.DELETE, file("a", 1)));
    assertThat(told(apply(set(Prune.KEEP, file("b", 2))))).isEqualTo("RESTORE b 2");
  }

  @Test
  void a_trigger_that_found_the_workflow_before_its_delete_stores_nothing_after_it() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    var key = new IdempotencyKey("default", "k", "01");
    var before = store.stored();
    var answer =
        runs.trigger(
            new NewRun(
                "default",
                "b",
                null,
                key,
                facts -> {
                  apply(set(Prune.DELETE, file("a", 1)));
                  return new Params.Resolved("{}");
                }),
            "me");
    assertThat(answer).isEqualTo(new Triggered.Deleted());
    assertThat(store.stored()).isEqualTo(before);
  }

  @Test
  void a_run_keeps_the_version_that_it_was_triggered_with() {
    apply(set(Prune.KEEP, file("a", 1)));
    var first = ((Triggered.Accepted) trigger("a", null)).run();
    apply(set(Prune.KEEP, file("a", 2)));
    var second = ((Triggered.Accepted) trigger("a", null)).run();
    workflows.rollBack("default", "a", 1, "me");
    var third = ((Triggered.Accepted) trigger("a", null)).run();

    assertThat(List.of(first, second, third))
        .extracting(run -> reads.run(run).orElseThrow().version())
        .containsExactly(1, 2, 3);
    assertThat(specOf(first)).isEqualTo(specOf(third)).isNotEqualTo(specOf(second));
  }

  @Test
  void a_rollback_is_a_new_version_unless_its_content_is_the_latest() {
    apply(set(Prune.KEEP, file("a", 1)));
    apply(set(Prune.KEEP, file("a", 2)));

    assertThat(rollBack("a", 1))
        .isInstanceOfSatisfying(
            RolledBack.Done.class,
            done -> assertThat(done.latest()).matches(to -> to.version() == 3 && to.created()));
    assertThat(rollBack("a", 1))
        .isInstanceOfSatisfying(
            RolledBack.Done.class,
            done -> assertThat(done.latest()).matches(to -> to.version() == 3 && !to.created()));
    assertThat(reads.workflow("default", "a", null).orElseThrow().source()).isEqualTo("source 1");
    assertThat(apply(set(Prune.KEEP, file("a", 1))).changes()).isFalse();
    assertThat(rollBack("a", 9)).isEqualTo(new RolledBack.NoVersion());
    assertThat(rollBack("none", 1)).isEqualTo(new RolledBack.NoVersion());
    assertThat(reads.versions("default", "a", null, 2).items())
        .extracting(version -> version.version())
        .containsExactly(3, 2);
    assertThat(reads.versions("default", "a", 2, 2).items()).hasSize(1);
  }

  @Test
  void a_rollback_brings_a_deleted_workflow_back() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    apply(set(Prune.DELETE, file("a", 1)));
    assertThat(rollBack("b", 1))
        .isInstanceOfSatisfying(
            RolledBack.Done.class,
            done -> assertThat(done.latest()).matches(to -> to.restored() && !to.created()));
    assertThat(trigger("b", null)).isInstanceOf(Triggered.Accepted.class);
  }

  @Test
  void a_confirmed_plan_that_is_outdated_stores_nothing() {
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    var wanted = set(Prune.DELETE, file("a", 2));
    var token = planned(wanted).plan().token();
    workflows.register(file("c", 1), "colleague");
    var before = store.stored();

    assertThat(sets.apply(wanted, token, "me")).isEqualTo(new Applied.Outdated());
    assertThat(store.stored()).isEqualTo(before);
    assertThat(names(true)).isEmpty();

    assertThat(sets.apply(wanted, planned(wanted).plan().token(), "me"))
        .isInstanceOf(Applied.Done.class);
    assertThat(names(true)).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void concurrent_applies_of_one_set_make_one_version_of_each() throws Exception {
    var files = IntStream.range(0, 40).mapToObj(i -> file("w" + i, 1)).toArray(NewWorkflow[]::new);
    var plans = race(8, () -> apply(set(Prune.KEEP, files)));
    assertThat(plans.stream().filter(Plan::changes)).hasSize(1);
    assertThat(store.count("workflow")).isEqualTo(40);
  }

  @Test
  void of_concurrent_applies_of_different_sets_the_last_one_wins_as_a_whole() throws Exception {
    for (int round = 0; round < 5; round++) {
      store.clear();
      var content = new java.util.concurrent.atomic.AtomicInteger();
      race(
          8,
          () -> {
            int mine = content.incrementAndGet();
            return apply(
                set(Prune.DELETE, file("a", mine), file("b", mine), file("own" + mine, mine)));
          });
      assertThat(
              store.text(
                  "SELECT count(DISTINCT spec_hash) FROM workflow w WHERE version = (SELECT"
                      + " max(version) FROM workflow WHERE name = w.name) AND name IN ('a', 'b')"))
          .isEqualTo("1");
      assertThat(names(false)).hasSize(3).contains("a", "b");
      assertThat(store.text("SELECT max(version) FROM workflow")).isEqualTo("8");
    }
  }

  @Test
  void a_register_and_a_prune_at_once_have_one_of_two_outcomes() throws Exception {
    for (int round = 0; round < 10; round++) {
      store.clear();
      apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
      List<Callable<Object>> acts =
          List.of(
              () -> workflows.register(file("b", 2), "me"),
              () -> apply(set(Prune.DELETE, file("a", 1))));
      try (var threads = Executors.newFixedThreadPool(2)) {
        for (var done : threads.invokeAll(acts)) {
          done.get();
        }
      }
      // Deleted at last, or brought back by the register.
      assertThat(store.text("SELECT max(version) FROM workflow WHERE name = 'b'")).isEqualTo("2");
      assertThat(names(false).size() + names(true).size()).isEqualTo(2);
    }
  }

  @Test
  void a_higher_limit_in_a_set_releases_held_runs() {
    apply(set(Prune.KEEP, limited("a", 1)));
    trigger("a", null);
    store.run("DELETE FROM mark", "UPDATE run SET reason = 'max_active'");
    apply(set(Prune.KEEP, limited("a", 5)));
    assertThat(store.count("mark")).isEqualTo(1);
    assertThat(store.text("SELECT max_active FROM workflow_control")).isEqualTo("5");
    assertThat(store.hinted()).contains("runChanged", "triggersChanged");
  }

  @Test
  void the_system_file_declares_pools_and_replaces_them() {
    var first = system("{1}", pool("gpu", "big"), pool("old", null));
    assertThat(Objects.requireNonNull(apply(first).system()).action()).isEqualTo(Action.CREATE);
    assertThat(apply(first).changes()).isFalse();
    var second = apply(system("{2}", pool("gpu", null)));
    assertThat(second.system()).matches(step -> step.action() == Action.CHANGE);
    assertThat(Objects.requireNonNull(second.system()).before()).isEqualTo("source {1}");

    var state = reads.system();
    assertThat(Objects.requireNonNull(state.file()).source()).isEqualTo("source {2}");
    assertThat(state.pools()).singleElement().matches(pool -> pool.name().equals("gpu"));

    store.worker();
    var known = planned(set(Prune.KEEP, file("a", 1))).known();
    assertThat(known.pools().keySet()).containsExactly("gpu");
    assertThat(known.served()).containsExactly("default");
    assertThat(store.hinted()).contains("routingChanged");
  }

  @Test
  void a_limit_of_tasks_of_a_workflow_raises_the_routing_version_only_when_it_changes() {
    var before = routingVersion();
    apply(set(Prune.KEEP, file("a", 1), file("b", 1)));
    assertThat(routingVersion()).isEqualTo(before);
    var limited = new NewWorkflow("default", "a", 1, "{\"run\": {\"max_tasks\": 5}}", "source");
    apply(set(Prune.KEEP, limited, file("b", 2)));
    assertThat(routingVersion()).isEqualTo(before + 1);
    assertThat(new PostgresRouting(store.jdbi()).declared().limits().workflowTasks())
        .isEqualTo(Map.of(new OfTenant("default", "a"), 5));
    apply(set(Prune.KEEP, limited, file("b", 3)));
    assertThat(routingVersion()).isEqualTo(before + 1);
    assertThat(register(file("a", 1)).created()).isTrue();
    assertThat(routingVersion()).isEqualTo(before + 2);
    assertThat(new PostgresRouting(store.jdbi()).declared().limits().workflowTasks()).isEmpty();
  }

  private long routingVersion() {
    return new PostgresRouting(store.jdbi()).version();
  }

  private static DeclaredPool pool(String name, @Nullable String description) {
    return new DeclaredPool(
        name, description, Pool.State.ACTIVE, null, new TreeSet<>(), Pool.Strategy.SPREAD);
  }

  private static NewWorkflow file(String name, int content) {
    return file("default", name, content);
  }

  private static NewWorkflow file(String tenant, String name, int content) {
    return new NewWorkflow(tenant, name, 1, "{\"content\": " + content + "}", "source " + content);
  }

  private static NewWorkflow limited(String name, int max) {
    return new NewWorkflow(
        "default", name, 1, "{\"run\": {\"max_active\": " + max + "}}", "source " + max);
  }

  private static WantedSet set(Prune prune, NewWorkflow... files) {
    return new WantedSet(List.of(files), null, prune);
  }

  private static WantedSet system(String spec, DeclaredPool... pools) {
    return new WantedSet(
        List.of(),
        new NewSystem(
            spec, "source " + spec, new OfFile(List.of(pools), List.of(), List.of()), List.of()),
        Prune.KEEP);
  }

  private Plan apply(WantedSet wanted) {
    return ((Applied.Done) sets.apply(wanted, null, "me")).plan();
  }

  private Applied.Done planned(WantedSet wanted) {
    return (Applied.Done) sets.plan(wanted);
  }

  private Registration register(NewWorkflow file) {
    return ((Registered.Done) workflows.register(file, "me")).latest();
  }

  private RolledBack rollBack(String name, int version) {
    return workflows.rollBack("default", name, version, "me");
  }

  private Triggered trigger(String name, @Nullable IdempotencyKey key) {
    return runs.trigger(
        new NewRun("default", name, null, key, facts -> new Params.Resolved("{}")), "me");
  }

  private String specOf(java.util.UUID run) {
    return store.text(
        "SELECT w.spec FROM run r JOIN workflow w ON w.id = r.workflow_id WHERE r.id = '"
            + run
            + "'");
  }

  private List<String> names(boolean deleted) {
    return reads.workflows("default", deleted, new Page.Window(null, 100)).items().stream()
        .map(workflow -> workflow.name())
        .toList();
  }

  private static String told(Plan plan) {
    var steps = new ArrayList<String>();
    for (Step step : plan.steps()) {
      steps.add(step.action() + " " + step.name() + " " + step.version());
    }
    return String.join(", ", steps);
  }

  private static <T> List<T> race(int threads, Callable<T> act) throws Exception {
    var results = new ArrayList<T>();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (var done : executor.invokeAll(IntStream.range(0, threads).mapToObj(i -> act).toList())) {
        results.add(done.get());
      }
    }
    return results;
  }
}
