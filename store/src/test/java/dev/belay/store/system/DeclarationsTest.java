package dev.belay.store.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.limit.Limits;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.routing.Topic;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import dev.belay.store.fixture.StoreFixture;
import dev.belay.store.system.Declaration.Seen;
import dev.belay.store.system.Declarations.OfFile;
import dev.belay.store.system.KnownRoutes.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeclarationsTest {

  private static final Seen ANYTHING = new Seen.Anything();

  private final StoreFixture store = new StoreFixture();
  private final Declarations declarations = new Declarations(store.jdbi(), store.hints());
  private final DeclaredReads reads = new DeclaredReads(store.jdbi());
  private final PostgresRouting routing = new PostgresRouting(store.jdbi());

  @BeforeEach
  void clear() {
    store.clear();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void what_is_declared_reaches_the_leader_with_a_new_version_and_a_hint() {
    var pool =
        new DeclaredPool(
            "gpu",
            "big",
            Pool.State.DRAINING,
            40,
            new TreeSet<>(List.of("gpu", "ssd")),
            Pool.Strategy.PACK);
    var topic = new DeclaredTopic("etl.load", null, new TreeSet<>(List.of("gpu", "default")));
    var tenant =
        new Tenant("data", null, 3, 10, 100, new Tenant.SubmitRate(5, Duration.ofSeconds(2)));
    var before = routing.version();

    put(Kind.POOL, pool);
    put(Kind.TOPIC, topic);
    put(Kind.TENANT, tenant);

    var declared = routing.declared();
    assertThat(declared.pools())
        .containsExactly(
            new Pool("gpu", Pool.State.DRAINING, Set.of("gpu", "ssd"), Pool.Strategy.PACK));
    assertThat(declared.topics()).containsExactly(new Topic("etl.load", List.of("default", "gpu")));
    assertThat(declared.limits())
        .isEqualTo(new Limits(Map.of("gpu", 40), Map.of("data", 10), Map.of()));
    assertThat(declared.weights()).isEqualTo(Map.of("data", 3));
    assertThat(declared.version()).isEqualTo(before + 3).isEqualTo(routing.version());
    assertThat(store.hinted())
        .containsExactly("routingChanged", "routingChanged", "routingChanged");
  }

  @Test
  void the_same_again_changes_nothing_and_raises_nothing() {
    put(Kind.POOL, pool("gpu", 4));
    var version = routing.version();
    assertThat(declarations.put(Kind.POOL, pool("gpu", 4), ANYTHING, "you"))
        .isEqualTo(new Declaration.Done(false, false));
    assertThat(routing.version()).isEqualTo(version);
    assertThat(reads.pool("gpu").orElseThrow().changedBy()).isEqualTo("me");
  }

  @Test
  void a_change_of_what_was_changed_meanwhile_is_refused_also_after_a_delete() {
    put(Kind.POOL, pool("gpu", 4));
    var seen = new Seen.Version(version("gpu"));
    put(Kind.POOL, pool("gpu", 5));
    var now = version("gpu");

    assertThat(declarations.put(Kind.POOL, pool("gpu", 6), seen, "me"))
        .isEqualTo(new Declaration.Outdated(now));
    assertThat(declarations.delete(Kind.POOL, "gpu", seen))
        .isEqualTo(new Declaration.Outdated(now));
    assertThat(declarations.put(Kind.POOL, pool("gpu", 6), new Seen.Nothing(), "me"))
        .isEqualTo(new Declaration.Outdated(now));

    assertThat(declarations.delete(Kind.POOL, "gpu", new Seen.Version(now)))
        .isEqualTo(new Declaration.Done(false, true));
    put(Kind.POOL, pool("gpu", 5));
    assertThat(declarations.put(Kind.POOL, pool("gpu", 6), new Seen.Version(now), "me"))
        .isInstanceOf(Declaration.Outdated.class);
    assertThat(declarations.delete(Kind.POOL, "cpu", ANYTHING))
        .isEqualTo(new Declaration.NotFound());
  }

  @Test
  void of_many_changes_at_once_of_what_all_have_seen_one_wins() throws Exception {
    put(Kind.POOL, pool("gpu", 1));
    var seen = new Seen.Version(version("gpu"));
    List<Callable<Declaration>> changes = new ArrayList<>();
    for (int i = 2; i < 10; i++) {
      int slots = i;
      changes.add(() -> declarations.put(Kind.POOL, pool("gpu", slots), seen, "me"));
    }
    try (var threads = Executors.newFixedThreadPool(changes.size())) {
      var answers = threads.invokeAll(changes).stream().map(Future::resultNow).toList();
      assertThat(answers.stream().filter(answer -> answer instanceof Declaration.Done)).hasSize(1);
    }
  }

  @Test
  void the_system_file_owns_what_it_names_and_leaves_the_rest() {
    put(Kind.POOL, pool("gpu", 4));
    put(Kind.POOL, pool("mine", 4));
    applied(pool("gpu", 8), pool("cpu", 1));

    assertThat(declarations.put(Kind.POOL, pool("gpu", 9), ANYTHING, "me"))
        .isEqualTo(new Declaration.OfSystemFile());
    assertThat(declarations.delete(Kind.POOL, "cpu", ANYTHING))
        .isEqualTo(new Declaration.OfSystemFile());
    assertThat(reads.pool("gpu").orElseThrow())
        .matches(
            pool ->
                "system_file".equals(pool.declaredIn()) && Integer.valueOf(8).equals(pool.slots()));

    applied(pool("cpu", 1));
    assertThat(reads.pools(null, 10).items().stream().map(pool -> pool.name()))
        .containsExactly("cpu", "mine");
    assertThat(declarations.put(Kind.POOL, pool("gpu", 9), new Seen.Nothing(), "me"))
        .isEqualTo(new Declaration.Done(true, true));
  }

  @Test
  void an_unchanged_row_of_a_changed_file_keeps_its_version() {
    applied(pool("gpu", 8), pool("cpu", 1));
    var gpu = version("gpu");
    applied(pool("gpu", 8), pool("cpu", 2));
    assertThat(version("gpu")).isEqualTo(gpu);
    assertThat(version("cpu")).isGreaterThan(gpu);
  }

  @Test
  void pools_that_only_workers_name_are_listed_by_name_in_pages() {
    store.worker();
    put(Kind.POOL, pool("a", 1));
    put(Kind.POOL, pool("z", 1));

    var first = reads.pools(null, 2);
    assertThat(first.items().stream().map(pool -> pool.name() + " " + pool.workers()))
        .containsExactly("a 0", "default 1");
    assertThat(first.items().get(1).declaredIn()).isNull();
    var second = reads.pools(first.next(), 2);
    assertThat(second.items()).singleElement().matches(pool -> pool.name().equals("z"));
    assertThat(second.next()).isNull();
  }

  @Test
  void what_nobody_serves_is_known() {
    store.worker();
    put(Kind.POOL, pool("idle", 1));
    put(
        Kind.POOL,
        new DeclaredPool(
            "off", null, Pool.State.INACTIVE, null, new TreeSet<>(), Pool.Strategy.SPREAD));
    put(Kind.TOPIC, new DeclaredTopic("good", null, new TreeSet<>(List.of("off", "idle"))));
    put(Kind.TOPIC, new DeclaredTopic("bad", null, new TreeSet<>(List.of("off", "nowhere"))));
    var known = reads.known();

    assertThat(known.warning(new Route(null, "default"))).isEmpty();
    assertThat(known.warning(new Route(null, "idle"))).isEmpty();
    assertThat(known.warning(new Route("good", null))).isEmpty();
    assertThat(known.warning(new Route("good", "idle"))).isEmpty();
    assertThat(known.warning(new Route(null, "nowhere")))
        .hasValue("no worker serves the pool 'nowhere', and nothing declares it");
    assertThat(known.warning(new Route(null, "off")))
        .hasValue("the pool 'off' is inactive, so no task starts in it");
    assertThat(known.warning(new Route("none", null)))
        .hasValue("no topic 'none' is declared, so no pool runs its tasks");
    assertThat(known.warning(new Route("good", "default")))
        .hasValue("the pool 'default' is not one of the topic 'good'");
    assertThat(known.warning(new Route("bad", null)))
        .hasValue("no worker serves a pool of the topic 'bad'");
  }

  private <T> void put(Kind<T> kind, T value) {
    assertThat(declarations.put(kind, value, ANYTHING, "me")).isInstanceOf(Declaration.Done.class);
  }

  private void applied(DeclaredPool... pools) {
    store
        .jdbi()
        .useTransaction(
            handle ->
                Declarations.replace(
                    handle, new OfFile(List.of(pools), List.of(), List.of()), "me"));
  }

  private long version(String pool) {
    Long version = reads.pool(pool).orElseThrow().version();
    return version == null ? 0 : version;
  }

  private static DeclaredPool pool(String name, int slots) {
    return new DeclaredPool(
        name, null, Pool.State.ACTIVE, slots, new TreeSet<>(), Pool.Strategy.SPREAD);
  }
}
