package dev.belay.domain.routing;

import static dev.belay.domain.routing.Workers.away;
import static dev.belay.domain.routing.Workers.busy;
import static dev.belay.domain.routing.Workers.capable;
import static dev.belay.domain.routing.Workers.equal;
import static dev.belay.domain.routing.Workers.id;
import static dev.belay.domain.routing.Workers.labelled;
import static dev.belay.domain.routing.Workers.named;
import static dev.belay.domain.routing.Workers.needing;
import static dev.belay.domain.routing.Workers.onTopic;
import static dev.belay.domain.routing.Workers.preferring;
import static dev.belay.domain.routing.Workers.refusing;
import static dev.belay.domain.routing.Workers.setAside;
import static dev.belay.domain.routing.Workers.sized;
import static dev.belay.domain.routing.Workers.with;
import static dev.belay.domain.routing.Workers.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Chosen;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.Worker.Condition;
import dev.belay.domain.routing.Worker.Presence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RouterTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Placement DEFAULT = Placement.inPool("default");

  private final Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());

  @Test
  void five_hundred_tasks_on_ten_equal_workers_are_fifty_each() {
    router.replace(equal(10, 100));

    assertThat(placements(DEFAULT, 500).values()).hasSize(10).containsOnly(50);
  }

  @Test
  void a_busy_cpu_and_gpu_count_as_up_to_one_task_each() {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      workers.add(busy(worker(i, 100, "default"), i * 8, 89 - i * 8));
    }
    router.replace(workers);

    assertThat(placements(DEFAULT, 500).values()).hasSize(10).allMatch(n -> n >= 49 && n <= 51);
  }

  @Test
  void the_less_busy_of_two_idle_workers_goes_first() {
    router.replace(
        List.of(busy(worker(1, 4, "default"), 50, 0), busy(worker(2, 4, "default"), 20, 10)));

    assertThat(place(DEFAULT)).isEqualTo(id(2));
  }

  @Test
  void workers_of_unequal_size_are_used_in_proportion() {
    router.replace(List.of(worker(1, 10, "default"), worker(2, 90, "default")));

    Map<WorkerId, Integer> placed = placements(DEFAULT, 50);

    assertThat(placed.get(id(1))).isEqualTo(5);
    assertThat(placed.get(id(2))).isEqualTo(45);
  }

  @Test
  void equal_workers_take_turns() {
    router.replace(equal(3, 4));
    List<WorkerId> seen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      WorkerId chosen = place(DEFAULT);
      router.release(chosen, Size.ONE_SLOT);
      seen.add(chosen);
    }

    assertThat(seen).containsExactly(id(0), id(1), id(2), id(0), id(1), id(2));
  }

  @Test
  void a_worker_with_nine_of_ten_slots_taken_is_a_last_choice_and_a_full_one_is_none() {
    router.replace(
        List.of(
            worker(1, 10, "default").holding(Load.slots(9)),
            busy(worker(2, 100, "default"), 80, 80).holding(Load.slots(89))));

    assertThat(place(DEFAULT)).isEqualTo(id(2));
    assertThat(place(DEFAULT)).as("both are nearly full").isEqualTo(id(1));
    assertThat(placements(DEFAULT, 10)).isEqualTo(Map.of(id(2), 10));
    assertThat(router.place(request(DEFAULT)))
        .isEqualTo(new Refused(Refusal.POOL_OVERLOADED, false));
  }

  @Test
  void an_overloaded_worker_gets_nothing_while_another_one_has_room() {
    List<Worker> workers =
        List.of(
            busy(worker(1, 10, "default"), 90, 0),
            busy(worker(2, 10, "default"), 0, 95),
            worker(3, 1, "default"));
    router.replace(workers);
    assertThat(place(DEFAULT)).isEqualTo(id(3));
    assertThat(place(DEFAULT)).as("the only other one is full").isEqualTo(id(1));

    Router indifferent =
        new Router(
            new RoutingSettings(0.9, 0.9, false, Duration.ofSeconds(5), Duration.ofSeconds(10)),
            any -> List.of());
    indifferent.replace(List.of(workers.get(0), worker(3, 1, "default").holding(Load.slots(1))));
    assertThat(indifferent.place(request(DEFAULT))).isInstanceOf(Chosen.class);
  }

  @Test
  void a_topic_leads_to_its_pools_and_a_named_pool_is_the_only_one() {
    router.replace(List.of(worker(1, 2, "a"), worker(2, 2, "b"), worker(3, 2, "c")));
    router.declare(List.of(), List.of(new Topic("etl", List.of("a", "b"))));

    assertThat(placements(onTopic("etl", null), 4).keySet())
        .containsExactlyInAnyOrder(id(1), id(2));
    assertThat(router.pools(onTopic("etl", null))).containsExactly("a", "b");
    assertThat(router.pools(onTopic("etl", "b"))).containsExactly("b");
    assertThat(refusal(onTopic("etl", "c"))).isEqualTo(Refusal.NO_POOL_MAPPING);
    assertThat(router.place(request(onTopic("other", null))))
        .isEqualTo(new Refused(Refusal.NO_POOL_MAPPING, true));
    assertThat(refusal(onTopic("other", "c"))).isEqualTo(Refusal.NO_POOL_MAPPING);
  }

  @Test
  void a_pool_that_drains_or_is_inactive_starts_nothing_and_its_tasks_wait() {
    router.replace(List.of(worker(1, 2, "a"), worker(2, 2, "b")));
    for (Pool.State state : List.of(Pool.State.DRAINING, Pool.State.INACTIVE)) {
      router.declare(
          List.of(new Pool("a", state, Set.of(), Pool.Strategy.SPREAD)),
          List.of(new Topic("etl", List.of("a", "b"))));

      assertThat(router.place(request(Placement.inPool("a"))))
          .isEqualTo(new Refused(Refusal.POOL_INACTIVE, false));
      assertThat(place(onTopic("etl", null))).isEqualTo(id(2));
    }
  }

  @Test
  void a_topic_with_a_pool_that_drains_uses_no_tries_though_its_other_pools_have_no_workers() {
    router.replace(List.of(capable(worker(1, 2, "a"), "gpu"), worker(2, 2, "b")));
    router.declare(
        List.of(new Pool("a", Pool.State.DRAINING, Set.of(), Pool.Strategy.SPREAD)),
        List.of(new Topic("etl", List.of("a", "new")), new Topic("gpu", List.of("a", "b"))));

    assertThat(router.place(request(onTopic("etl", null))))
        .isEqualTo(new Refused(Refusal.NO_WORKERS, false));
    assertThat(router.place(request(onTopic("gpu", null, "gpu"))))
        .isEqualTo(new Refused(Refusal.NO_POOL_MAPPING, false));
  }

  @Test
  void requirements_are_covered_by_the_pool_the_worker_or_both() {
    router.replace(
        List.of(capable(worker(1, 2, "a"), "gpu"), worker(2, 2, "a"), worker(3, 2, "b")));
    router.declare(
        List.of(new Pool("a", Pool.State.ACTIVE, Set.of("ssd"), Pool.Strategy.SPREAD)),
        List.of(new Topic("t", List.of("a", "b"))));

    assertThat(placements(onTopic("t", null, "ssd"), 4).keySet())
        .containsExactlyInAnyOrder(id(1), id(2));
    router.release(id(1), Size.ONE_SLOT);
    assertThat(place(onTopic("t", null, "ssd", "gpu"))).isEqualTo(id(1));
    assertThat(router.place(request(onTopic("t", null, "tpu"))))
        .isEqualTo(new Refused(Refusal.NO_POOL_MAPPING, true));
  }

  @Test
  void constraints_match_labels_with_the_full_name_or_the_name_behind_the_prefix() {
    router.replace(
        List.of(
            labelled(worker(1, 1, "default"), Map.of("node.zone", "a")),
            labelled(worker(2, 1, "default"), Map.of("zone", "a")),
            labelled(worker(3, 9, "default"), Map.of("node.zone", "b", "zone", "a")),
            worker(4, 9, "default")));

    assertThat(placements(needing(Set.of(), Map.of("node.zone", "a")), 2).keySet())
        .containsExactlyInAnyOrder(id(1), id(2));
    assertThat(place(needing(Set.of(), Map.of("constraint.zone", "a")))).isEqualTo(id(3));
    assertThat(place(needing(Set.of(), Map.of("node.zone", "b", "placement.zone", "a"))))
        .isEqualTo(id(3));
    assertThat(router.place(request(needing(Set.of(), Map.of("node.zone", "c")))))
        .isEqualTo(new Refused(Refusal.NO_WORKERS, false));
  }

  @Test
  void a_preferred_worker_goes_first_when_it_can() {
    router.replace(
        List.of(
            worker(1, 4, "default"),
            worker(2, 4, "default").holding(Load.slots(3)),
            worker(3, 9, "other"),
            busy(worker(4, 4, "default"), 99, 0)));

    assertThat(place(preferring("w2"))).isEqualTo(id(2));
    assertThat(place(preferring("w2"))).as("it is full").isEqualTo(id(1));
    router.release(id(2), Size.ONE_SLOT);
    assertThat(place(preferring(id(2).toString()))).isEqualTo(id(2));
    assertThat(place(preferring("w3"))).as("of another pool").isEqualTo(id(1));
    assertThat(place(preferring("w4"))).as("overloaded").isEqualTo(id(1));
    assertThat(place(preferring("nobody"))).isEqualTo(id(1));
    assertThat(place(preferring("w4"))).as("all others are full").isEqualTo(id(4));
  }

  @Test
  void of_two_workers_with_the_preferred_name_the_one_that_is_there_goes_first() {
    Worker gone = named("w", worker(1, 4, "default"));
    Worker there = named("w", worker(2, 4, "default").holding(Load.slots(2)));
    Worker other = worker(3, 4, "default");
    router.replace(List.of(gone, there, other));
    router.replace(List.of(away(gone, Presence.DISCONNECTED), there, other));
    assertThat(place(preferring("w"))).isEqualTo(id(2));
    router.replace(List.of(there, other));
    assertThat(place(preferring("w"))).as("the other one was removed").isEqualTo(id(2));
  }

  @Test
  void a_retry_avoids_the_worker_on_which_it_failed_when_another_one_has_room() {
    router.replace(
        List.of(
            worker(1, 9, "default"), worker(2, 1, "default"), setAside(worker(3, 9, "default"))));
    Request retry = request(preferring("w1")).avoiding(id(1));

    assertThat(((Chosen) router.place(retry)).worker().id()).isEqualTo(id(2));
    assertThat(((Chosen) router.place(retry)).worker().id()).isEqualTo(id(1));
  }

  @Test
  void workers_that_are_away_or_set_aside_or_refuse_get_nothing() {
    router.replace(
        List.of(
            away(worker(1, 9, "default"), Presence.DISCONNECTED),
            away(worker(2, 9, "default"), Presence.SILENT),
            away(worker(3, 9, "default"), Presence.DRAINING),
            away(worker(4, 9, "default"), Presence.TROUBLED),
            setAside(worker(5, 9, "default"))));
    assertThat(router.place(request(DEFAULT)))
        .as("they may come back")
        .isEqualTo(new Refused(Refusal.NO_WORKERS, false));

    router.replace(List.of(refusing(worker(6, 1, "default"), NOW.plusSeconds(2))));
    assertThat(refusal(DEFAULT)).isEqualTo(Refusal.POOL_OVERLOADED);
    assertThat(router.place(Request.of(DEFAULT, 50, NOW.plusSeconds(1))))
        .isInstanceOf(Refused.class);
    assertThat(router.place(Request.of(DEFAULT, 50, NOW.plusSeconds(2))))
        .isInstanceOf(Chosen.class);
  }

  @Test
  void a_pool_of_which_no_worker_was_ever_seen_uses_tries() {
    router.replace(List.of(worker(1, 9, "default")));

    assertThat(router.place(request(Placement.inPool("gpu"))))
        .isEqualTo(new Refused(Refusal.NO_WORKERS, true));
    router.replace(List.of(away(worker(1, 9, "gpu"), Presence.DISCONNECTED)));
    assertThat(router.place(request(Placement.inPool("gpu"))))
        .isEqualTo(new Refused(Refusal.NO_WORKERS, false));
    router.replace(List.of(worker(1, 9, "gpu")));
    assertThat(router.place(request(Placement.inPool("gpu")))).isInstanceOf(Chosen.class);
    assertThat(refusal(DEFAULT)).isEqualTo(Refusal.NO_WORKERS);
  }

  @Test
  void a_task_must_fit_in_slots_memory_and_cpu() {
    router.replace(
        List.of(
            with(worker(1, 8, "default"), new Load(8, 100, 4000)),
            with(worker(2, 8, "default"), new Load(8, 50, 8000))));

    assertThat(place(sized(new Size(1, 60, 1000), null))).isEqualTo(id(1));
    assertThat(refusal(sized(new Size(1, 60, 0), null))).isEqualTo(Refusal.POOL_OVERLOADED);
    assertThat(place(sized(new Size(1, 0, 5000), null))).isEqualTo(id(2));
    assertThat(refusal(sized(new Size(1, 0, 5000), null))).isEqualTo(Refusal.POOL_OVERLOADED);
    router.release(id(2), new Size(1, 0, 5000));
    assertThat(place(sized(new Size(8, 0, 5000), null))).isEqualTo(id(2));
    assertThat(router.place(request(sized(new Size(9, 0, 0), null))))
        .isEqualTo(new Refused(Refusal.NO_WORKERS, false));
    assertThat(refusal(sized(new Size(1, 101, 0), null))).isEqualTo(Refusal.NO_WORKERS);

    router.replace(List.of(worker(1, 1, "default")));
    assertThat(place(sized(new Size(1, 1_000, 1_000), null)))
        .as("what a worker does not declare is not counted")
        .isEqualTo(id(1));
  }

  @Test
  void slots_that_a_worker_withholds_are_taken() {
    router.replace(
        List.of(
            with(worker(1, 10, "default"), new Condition(Presence.PRESENT, false, 8, 0, 0, null))));

    assertThat(placements(DEFAULT, 2)).isEqualTo(Map.of(id(1), 2));
    assertThat(refusal(DEFAULT)).isEqualTo(Refusal.POOL_OVERLOADED);
  }

  @Test
  void a_pool_that_packs_fills_one_worker_after_the_other() {
    router.replace(equal(3, 4));
    router.declare(
        List.of(new Pool("default", Pool.State.ACTIVE, Set.of(), Pool.Strategy.PACK)), List.of());

    assertThat(placements(DEFAULT, 4)).hasSize(1);
    assertThat(placements(DEFAULT, 3)).hasSize(1);
    router.release(id(0), Size.ONE_SLOT);
    router.release(id(0), Size.ONE_SLOT);
    assertThat(place(DEFAULT)).as("three of four").isEqualTo(id(1));
    assertThat(place(DEFAULT)).isEqualTo(id(0));
  }

  @Test
  void a_pool_without_room_in_its_limit_is_passed_over() {
    router.replace(List.of(worker(1, 9, "a"), worker(2, 9, "b")));
    router.declare(List.of(), List.of(new Topic("t", List.of("a", "b"))));
    Placement placement = onTopic("t", null);

    assertThat(router.place(request(placement).within("b"::equals)))
        .isInstanceOfSatisfying(Chosen.class, chosen -> assertThat(chosen.pool()).isEqualTo("b"));
    assertThat(router.place(request(placement).within(any -> false)))
        .isEqualTo(new Refused(Refusal.POOL_SLOTS, false));
  }

  @Test
  void workers_that_come_leave_and_change_count_at_once() {
    router.replace(List.of(worker(1, 1, "default")));
    assertThat(place(DEFAULT)).isEqualTo(id(1));
    router.replace(
        List.of(worker(1, 1, "default").holding(Load.slots(1)), worker(2, 1, "default")));
    assertThat(place(DEFAULT)).isEqualTo(id(2));
    assertThat(refusal(DEFAULT)).isEqualTo(Refusal.POOL_OVERLOADED);
    router.replace(List.of(worker(3, 1, "default")));
    router.release(id(2), Size.ONE_SLOT);
    assertThat(place(DEFAULT)).isEqualTo(id(3));
    router.replace(List.of(worker(3, 1, "gpu")));
    assertThat(refusal(DEFAULT)).isEqualTo(Refusal.NO_WORKERS);
    router.replace(List.of(worker(3, 1, "gpu", "default").holding(Load.slots(0))));
    assertThat(place(DEFAULT)).isEqualTo(id(3));
  }

  @Test
  void pools_that_share_workers_or_a_topic_are_one_group() {
    router.replace(
        List.of(worker(1, 1, "a", "b"), worker(2, 1, "c"), worker(3, 1, "d"), worker(4, 1, "e")));
    router.declare(List.of(), List.of(new Topic("t", List.of("b", "d"))));

    assertThat(router.group(Placement.inPool("a"))).isEqualTo("a");
    assertThat(router.group(Placement.inPool("d"))).isEqualTo("a");
    assertThat(router.group(onTopic("t", null))).isEqualTo("a");
    assertThat(router.group(Placement.inPool("c"))).isEqualTo("c");
    assertThat(router.group(Placement.inPool("unknown"))).isEqualTo("unknown");
    assertThat(router.group(onTopic("unknown", null))).isEmpty();

    router.replace(List.of(worker(1, 1, "z", "y", "x"), worker(2, 1, "z", "w")));
    assertThat(router.group(Placement.inPool("x"))).isEqualTo("w");
    router.replace(List.of(worker(1, 1, "a"), worker(5, 1, "c", "e")));
    assertThat(router.group(Placement.inPool("a"))).isEqualTo("a");
    assertThat(router.group(Placement.inPool("d"))).isEqualTo("b");
    assertThat(router.group(Placement.inPool("e"))).isEqualTo("c");
  }

  @Test
  void settings_and_workers_are_checked() {
    assertThatThrownBy(
            () -> new RoutingSettings(0, 0.9, true, Duration.ofSeconds(1), Duration.ofSeconds(10)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> worker(1, 0, "default")).isInstanceOf(IllegalArgumentException.class);
    assertThat(Refusal.NO_POOL_MAPPING.word()).isEqualTo("no_pool_mapping");
    assertThat(WorkerGate.FAILED_HERE.word()).isEqualTo("failed_here");
    assertThat(new TreeSet<>(List.of(WorkerGate.values())).first())
        .isEqualTo(WorkerGate.OTHER_POOL);
  }

  private Map<WorkerId, Integer> placements(Placement placement, int count) {
    Map<WorkerId, Integer> placed = new HashMap<>();
    for (int i = 0; i < count; i++) {
      placed.merge(place(placement), 1, Integer::sum);
    }
    return placed;
  }

  private WorkerId place(Placement placement) {
    return ((Chosen) router.place(request(placement))).worker().id();
  }

  private Refusal refusal(Placement placement) {
    return ((Refused) router.place(request(placement))).reason();
  }

  private static Request request(Placement placement) {
    return Request.of(placement, 50, NOW);
  }
}
