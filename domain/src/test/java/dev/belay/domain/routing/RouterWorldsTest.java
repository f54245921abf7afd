package dev.belay.domain.routing;

import static dev.belay.domain.routing.Workers.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Chosen;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.Explanation.Eligible;
import dev.belay.domain.routing.Worker.Condition;
import dev.belay.domain.routing.Worker.Presence;
import dev.belay.domain.routing.Worker.Traits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the router with a look at every worker, while tasks and workers come and go. */
class RouterWorldsTest {

  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final List<String> POOLS = List.of("a", "b", "c");

  private record Running(WorkerId worker, Size size) {}

  private record Best(WorkerId worker, String pool) {}

  @Test
  void it_chooses_what_a_look_at_every_worker_would_choose_and_explains_it() {
    int placed = 0;
    int refused = 0;
    for (int seed = 0; seed < 150; seed++) {
      World world = new World(new Random(seed));
      for (int step = 0; step < 200; step++) {
        world.step();
      }
      placed += world.placed;
      refused += world.refused;
    }
    assertThat(placed).isGreaterThan(3_000);
    assertThat(refused).isGreaterThan(1_000);
  }

  private static final class World {
    private final Random random;
    private final Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());
    private final Map<WorkerId, Worker> workers = new TreeMap<>();
    private final Map<WorkerId, Long> turns = new HashMap<>();
    private final List<Running> running = new ArrayList<>();
    private Map<String, Pool> pools = Map.of();
    private List<String> topic = List.of();
    private Instant now = START;
    private long turn;
    private int placed;
    private int refused;

    World(Random random) {
      this.random = random;
      declare();
      for (int i = 0; i < 6; i++) {
        changeWorker();
      }
    }

    void step() {
      now = now.plusMillis(random.nextInt(500));
      switch (random.nextInt(10)) {
        case 0 -> changeWorker();
        case 1, 2, 3 -> end();
        case 4 -> {
          if (random.nextInt(10) == 0) {
            declare();
          }
        }
        default -> place();
      }
    }

    private void declare() {
      Map<String, Pool> declared = new HashMap<>();
      for (String pool : POOLS) {
        if (random.nextBoolean()) {
          declared.put(
              pool,
              new Pool(
                  pool,
                  random.nextInt(6) == 0 ? Pool.State.DRAINING : Pool.State.ACTIVE,
                  some("gpu", "ssd"),
                  random.nextBoolean() ? Pool.Strategy.SPREAD : Pool.Strategy.PACK));
        }
      }
      pools = declared;
      topic = new ArrayList<>(some("a", "b", "c"));
      router.declare(pools.values(), List.of(new Topic("t", topic)));
    }

    private void changeWorker() {
      WorkerId id = id(random.nextInt(12));
      if (random.nextInt(5) == 0) {
        workers.remove(id);
        turns.remove(id);
        running.removeIf(task -> task.worker().equals(id));
      } else {
        Worker before = workers.get(id);
        workers.put(
            id,
            new Worker(
                id,
                new SessionId(new UUID(2, 2)),
                "w" + id.value().getLeastSignificantBits(),
                before != null && random.nextBoolean() ? before.traits() : traits(),
                new Load(1 + random.nextInt(4), random.nextInt(2) * 100L, 0),
                before == null ? Load.NONE : before.held(),
                condition()));
        turns.putIfAbsent(id, 0L);
      }
      router.replace(workers.values());
    }

    private Traits traits() {
      Set<String> own = some("a", "b", "c");
      return new Traits(
          own.isEmpty() ? Set.of("a") : own,
          some("gpu", "ssd"),
          random.nextBoolean() ? Map.of("zone", "x") : Map.of("node.zone", "y"));
    }

    private Condition condition() {
      return new Condition(
          random.nextInt(5) == 0 ? Presence.SILENT : Presence.PRESENT,
          random.nextInt(8) == 0,
          random.nextInt(4) == 0 ? 1 : 0,
          random.nextInt(4) == 0 ? 95 : random.nextInt(89),
          0,
          random.nextInt(6) == 0 ? now.plusSeconds(3) : null);
    }

    private void end() {
      if (!running.isEmpty()) {
        Running task = running.remove(random.nextInt(running.size()));
        router.release(task.worker(), task.size());
        Worker worker = workers.get(task.worker());
        if (worker != null) {
          workers.put(worker.id(), worker.holding(worker.held().minus(task.size())));
        }
      }
    }

    private void place() {
      Placement placement =
          new Placement(
              random.nextBoolean() ? "t" : null,
              POOLS.get(random.nextInt(3)),
              new TreeSet<>(random.nextInt(3) == 0 ? some("gpu", "ssd") : Set.of()),
              random.nextInt(4) == 0 ? Map.of("node.zone", "x") : Map.of(),
              null,
              new Size(1, random.nextInt(2) * 60L, 0),
              null);
      if (placement.topic() != null && random.nextInt(4) > 0) {
        placement =
            new Placement(
                "t",
                null,
                placement.requires(),
                placement.constraints(),
                null,
                placement.size(),
                null);
      }
      WorkerId avoid = random.nextInt(4) == 0 ? id(random.nextInt(12)) : null;
      String closed = random.nextInt(5) == 0 ? POOLS.get(random.nextInt(3)) : "";
      Request request =
          Request.of(placement, 50, now).avoiding(avoid).within(pool -> !pool.equals(closed));
      Best expected = naive(request, true);
      if (expected == null) {
        expected = naive(request, false);
      }
      Explanation explanation = router.explain(request, 100);
      switch (router.place(request)) {
        case Chosen chosen -> {
          assertThat(new Best(chosen.worker().id(), chosen.pool())).isEqualTo(expected);
          assertThat(explanation.refused()).isNull();
          assertThat(explanation.workers().getFirst().id()).isEqualTo(chosen.worker().id());
          assertThat(explanation.workers().getFirst().verdict())
              .isInstanceOfSatisfying(Eligible.class, one -> assertThat(one.chosen()).isTrue());
          Worker worker = workers.get(chosen.worker().id());
          assertThat(worker).isNotNull();
          workers.put(chosen.worker().id(), chosen.worker());
          turns.put(chosen.worker().id(), ++turn);
          running.add(new Running(chosen.worker().id(), placement.size()));
          placed++;
        }
        case Refused refusal -> {
          assertThat(expected).as(refusal.toString()).isNull();
          assertThat(explanation.refused()).isEqualTo(refusal);
          assertThat(explanation.eligible()).isZero();
          refused++;
        }
      }
      int excluded = explanation.excluded().values().stream().mapToInt(Integer::intValue).sum();
      assertThat(explanation.eligible() + excluded).isEqualTo(workers.size());
    }

    private @Nullable Best naive(Request request, boolean avoids) {
      Best best = null;
      double[] bestKey = {};
      for (String pool : poolsOf(request.placement())) {
        Best ofPool = null;
        double[] keyOfPool = {};
        Pool declared = pools.getOrDefault(pool, Pool.undeclared(pool));
        for (Worker worker : workers.values()) {
          if (declared.state() == Pool.State.ACTIVE
              && request.poolHasRoom().test(pool)
              && !(avoids && worker.id().equals(request.avoid()))
              && mayRun(worker, request.placement(), declared)) {
            double[] key = key(worker, declared.strategy());
            if (ofPool == null || compare(key, keyOfPool, 4) < 0) {
              ofPool = new Best(worker.id(), pool);
              keyOfPool = key;
            }
          }
        }
        if (ofPool != null) {
          keyOfPool[2] = Math.abs(keyOfPool[2]);
          if (best == null || compare(keyOfPool, bestKey, 3) < 0) {
            best = ofPool;
            bestKey = keyOfPool;
          }
        }
      }
      return best;
    }

    private List<String> poolsOf(Placement placement) {
      if (placement.topic() == null) {
        return List.of(String.valueOf(placement.pool()));
      }
      return placement.pool() == null
          ? topic
          : topic.stream().filter(placement.pool()::equals).toList();
    }

    private boolean mayRun(Worker worker, Placement placement, Pool pool) {
      Set<String> capabilities = new HashSet<>(worker.traits().capabilities());
      capabilities.addAll(pool.capabilities());
      Condition condition = worker.condition();
      Instant refuses = condition.refusesUntil();
      boolean labels =
          placement.constraints().isEmpty() || "x".equals(worker.traits().labels().get("zone"));
      long memory = worker.capacity().memoryBytes();
      return worker.traits().pools().contains(pool.name())
          && capabilities.containsAll(placement.requires())
          && labels
          && condition.presence() == Presence.PRESENT
          && !condition.setAside()
          && (refuses == null || !refuses.isAfter(now))
          && worker.held().slots() + condition.withheldSlots() < worker.capacity().slots()
          && (memory == 0
              || worker.held().memoryBytes() + placement.size().memoryBytes() <= memory);
    }

    private double[] key(Worker worker, Pool.Strategy strategy) {
      int used = worker.held().slots() + worker.condition().withheldSlots();
      double slots = worker.capacity().slots();
      double score = (used + worker.condition().cpuPercent() / 100) / slots;
      double hot = worker.condition().cpuPercent() >= 90 ? 1 : 0;
      boolean packs = strategy == Pool.Strategy.PACK;
      return new double[] {
        hot,
        !packs && used >= 0.9 * slots ? 1 : 0,
        packs ? -score : score,
        packs ? 0 : turns.getOrDefault(worker.id(), 0L)
      };
    }

    private static int compare(double[] one, double[] other, int length) {
      for (int i = 0; i < length; i++) {
        int order = Double.compare(one[i], other[i]);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }

    private Set<String> some(String... names) {
      Set<String> chosen = new TreeSet<>();
      for (String name : names) {
        if (random.nextBoolean()) {
          chosen.add(name);
        }
      }
      return chosen;
    }
  }
}
