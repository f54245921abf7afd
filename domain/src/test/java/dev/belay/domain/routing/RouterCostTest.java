package dev.belay.domain.routing;

import static dev.belay.domain.routing.Workers.capable;
import static dev.belay.domain.routing.Workers.labelled;
import static dev.belay.domain.routing.Workers.needing;
import static dev.belay.domain.routing.Workers.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Chosen;
import dev.belay.domain.routing.Choice.Refused;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RouterCostTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final int PLACEMENTS = 100_000;

  @Test
  void a_placement_on_10_000_workers_costs_less_than_twice_one_on_100() {
    double few = looksOfPlacement(100, PLACEMENTS / 100);
    double many = looksOfPlacement(10_000, PLACEMENTS / 10_000);

    assertThat(many).isLessThan(2 * few);
    assertThat(many).isLessThan(25);
  }

  /** Fills the workers, with a few tasks ending all the time, by five different placements. */
  private static double looksOfPlacement(int workers, int slots) {
    Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());
    router.replace(fleet(workers, slots + 1));
    List<Placement> placements =
        List.of(
            Placement.inPool("default"),
            needing(Set.of("gpu"), Map.of()),
            needing(Set.of(), Map.of("node.zone", "z1")),
            needing(Set.of("gpu"), Map.of("node.zone", "z2")),
            needing(Set.of("ssd"), Map.of()));
    Random random = new Random(7);
    ArrayDeque<WorkerId> running = new ArrayDeque<>();
    for (int i = 0; i < PLACEMENTS; i++) {
      Placement placement = placements.get(random.nextInt(placements.size()));
      if (router.place(Request.of(placement, 50, NOW)) instanceof Chosen chosen) {
        running.add(chosen.worker().id());
      }
      if (random.nextInt(3) > 0 && !running.isEmpty()) {
        router.release(running.remove(), Size.ONE_SLOT);
      }
    }
    return router.looks() / (double) PLACEMENTS;
  }

  @Test
  void the_memory_of_a_heap_follows_the_workers_and_not_the_tasks() {
    PoolWorkers workers = new PoolWorkers();
    List<WorkerLoad> loads =
        fleet(10, 100_000).stream().map(WorkerLoad::new).peek(workers::add).toList();
    Needs needs = Needs.of(Placement.inPool("default"), Pool.undeclared("default"));
    WorkerHeap heap = new WorkerHeap(needs, workers, Pool.Strategy.SPREAD, RoutingSettings.DEFAULT);
    for (int i = 0; i < 10_000; i++) {
      WorkerLoad load = loads.get(i % loads.size());
      load.take(Size.ONE_SLOT, i);
      load.changed();
      workers.changed(load, 0);
      heap.best(any -> true, NOW);
      assertThat(heap.size()).isLessThan(100);
    }
  }

  @Test
  void tasks_that_find_no_room_cost_next_to_nothing() {
    Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());
    List<Worker> full = fleet(10_000, 4).stream().map(each -> each.holding(Load.slots(4))).toList();
    router.replace(full);
    Request request = Request.of(Placement.inPool("default"), 50, NOW);
    router.place(request);
    long before = router.looks();
    for (int i = 0; i < PLACEMENTS; i++) {
      assertThat(router.place(request)).isInstanceOf(Refused.class);
    }

    assertThat(router.looks() - before).isZero();
  }

  @Test
  void a_label_that_each_worker_has_for_itself_costs_no_look_at_the_others() {
    Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      workers.add(labelled(worker(i, 10, "default"), Map.of("node.host", "h" + i)));
    }
    router.replace(workers);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2_000; i++) {
        Placement placement = needing(Set.of(), Map.of("node.host", "h" + i));
        assertThat(router.place(Request.of(placement, 50, NOW))).isInstanceOf(Chosen.class);
      }
    }

    assertThat(router.looks()).isLessThan(6_000 * 4);
  }

  @Test
  void heaps_that_are_not_used_are_forgotten() {
    Fleet fleet = new Fleet(RoutingSettings.DEFAULT, 250);
    fleet.replace(fleet(100, 1));
    Pool pool = Pool.undeclared("default");
    Needs all = Needs.of(Placement.inPool("default"), pool);
    WorkerHeap first = fleet.heap(all, pool.strategy());
    first.best(any -> true, NOW);
    long looks = fleet.looks();
    fleet.heap(Needs.of(needing(Set.of(), Map.of("node.zone", "z1")), pool), pool.strategy());
    assertThat(fleet.heap(all, pool.strategy())).isSameAs(first);

    for (int slots = 1; slots <= 3; slots++) {
      Placement wide = Workers.sized(new Size(1, slots, 0), null);
      fleet.heap(Needs.of(wide, pool), pool.strategy());
    }

    assertThat(fleet.heap(all, pool.strategy())).isNotSameAs(first);
    assertThat(fleet.looks()).isEqualTo(looks);
  }

  private static List<Worker> fleet(int count, int slots) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Worker worker = worker(i, slots, "default");
      if (i % 2 == 0) {
        worker = capable(worker, i % 4 == 0 ? "gpu" : "ssd");
      }
      workers.add(labelled(worker, Map.of("zone", "z" + i % 5)));
    }
    return workers;
  }
}
