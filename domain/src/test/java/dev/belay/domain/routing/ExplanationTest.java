package dev.belay.domain.routing;

import static dev.belay.domain.routing.Workers.away;
import static dev.belay.domain.routing.Workers.busy;
import static dev.belay.domain.routing.Workers.capable;
import static dev.belay.domain.routing.Workers.id;
import static dev.belay.domain.routing.Workers.labelled;
import static dev.belay.domain.routing.Workers.refusing;
import static dev.belay.domain.routing.Workers.setAside;
import static dev.belay.domain.routing.Workers.with;
import static dev.belay.domain.routing.Workers.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.Explanation.Considered;
import dev.belay.domain.routing.Explanation.Eligible;
import dev.belay.domain.routing.Explanation.Excluded;
import dev.belay.domain.routing.Explanation.Slots;
import dev.belay.domain.routing.Worker.Presence;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Placement PLACEMENT =
      new Placement(
          null,
          "default",
          new TreeSet<>(Set.of("gpu")),
          Map.of("node.zone", "a"),
          null,
          new Size(2, 100, 1000),
          null);

  private final Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());

  @Test
  void every_worker_is_eligible_with_its_score_or_excluded_by_a_gate() {
    replaceByOneForEachGate();

    Explanation explanation = router.explain(Request.of(PLACEMENT, 50, NOW).avoiding(id(18)), 100);

    assertThat(explanation.refused()).isNull();
    assertThat(explanation.workers())
        .containsExactly(
            new Considered(id(2), "w2", "default", new Eligible(0, false, true)),
            new Considered(id(1), "w1", "default", new Eligible(0.25, false, false)),
            excluded(3, WorkerGate.OTHER_POOL, "is in more, other"),
            excluded(4, WorkerGate.CAPABILITY, "lacks gpu"),
            excluded(5, WorkerGate.LABEL, "node.zone is b, not a"),
            excluded(6, WorkerGate.LABEL, "has no label node.zone"),
            excluded(
                7,
                WorkerGate.TOO_SMALL,
                "has 1 slots, 50 bytes of memory, 500m cpu, the task needs 2 slots, 100 bytes of"
                    + " memory, 1000m cpu"),
            excluded(8, WorkerGate.DISCONNECTED, "is not connected"),
            excluded(9, WorkerGate.SILENT, "is silent"),
            excluded(10, WorkerGate.DRAINING, "is draining"),
            excluded(11, WorkerGate.TROUBLED, "is in trouble"),
            excluded(12, WorkerGate.SET_ASIDE, "is set aside, because tasks fail there"),
            excluded(13, WorkerGate.REFUSED, "refused a task for lack of resources"),
            excluded(14, WorkerGate.SLOTS, "has 1 of 8 slots free, the task needs 2"),
            excluded(
                15, WorkerGate.MEMORY, "has 50 of 1000 bytes of memory free, the task needs 100"),
            excluded(16, WorkerGate.CPU, "has 500m of 4000m cpu free, the task needs 1000m"),
            excluded(
                17,
                WorkerGate.OVERLOADED,
                "has cpu at 96 % and gpu at 12 %, and another worker has room"),
            excluded(
                18,
                WorkerGate.FAILED_HERE,
                "the task just failed there, and another worker has room"));
    assertThat(explanation.slots()).isEqualTo(new Slots(2 + 7 + 1 + 1, 64));
  }

  @Test
  void the_gates_of_a_pool_and_a_reservation_are_named_too() {
    router.replace(List.of(good(1).holding(Load.slots(7))));
    Request request = Request.of(PLACEMENT, 50, NOW);
    router.place(request);
    Request narrow = Request.of(Placement.inPool("default"), 50, NOW);

    assertThat(router.explain(narrow, 1).workers())
        .containsExactly(
            excluded(1, WorkerGate.RESERVED, "is kept for a task that needs more slots"));
    assertThat(router.explain(request.within(any -> false), 1))
        .isEqualTo(
            new Explanation(
                new Refused(Refusal.POOL_SLOTS, false),
                List.of(excluded(1, WorkerGate.POOL_SLOTS, "its pool has no slot left")),
                0,
                Map.of(WorkerGate.POOL_SLOTS, 1),
                new Slots(0, 0)));
  }

  @Test
  void the_list_is_bounded_and_the_counts_are_not() {
    List<Worker> workers = Workers.equal(50, 1);
    router.replace(workers);
    Explanation explanation = router.explain(Request.of(Placement.inPool("default"), 50, NOW), 3);
    assertThat(explanation.workers()).hasSize(3);
    assertThat(explanation.eligible()).isEqualTo(50);

    explanation = router.explain(Request.of(Placement.inPool("gpu"), 50, NOW), 3);
    assertThat(explanation.workers()).hasSize(3);
    assertThat(explanation.excluded()).isEqualTo(Map.of(WorkerGate.OTHER_POOL, 50));
  }

  @Test
  void every_gate_is_tested() {
    replaceByOneForEachGate();
    Set<WorkerGate> seen =
        new HashSet<>(
            router.explain(Request.of(PLACEMENT, 50, NOW).avoiding(id(18)), 0).excluded().keySet());
    seen.addAll(Set.of(WorkerGate.RESERVED, WorkerGate.POOL_SLOTS));

    assertThat(seen).containsExactlyInAnyOrder(WorkerGate.values());
  }

  private void replaceByOneForEachGate() {
    router.replace(
        List.of(
            good(1).holding(Load.slots(2)),
            good(2),
            worker(3, 8, "other", "more"),
            worker(4, 8, "default"),
            capable(labelled(worker(5, 8, "default"), Map.of("zone", "b")), "gpu"),
            capable(worker(6, 8, "default"), "gpu"),
            with(good(7), new Load(1, 50, 500)),
            away(good(8), Presence.DISCONNECTED),
            away(good(9), Presence.SILENT),
            away(good(10), Presence.DRAINING),
            away(good(11), Presence.TROUBLED),
            setAside(good(12)),
            refusing(good(13), NOW.plusSeconds(1)),
            good(14).holding(Load.slots(7)),
            good(15).holding(new Load(1, 950, 0)),
            good(16).holding(new Load(1, 0, 3500)),
            busy(good(17), 96, 12),
            good(18)));
  }

  private static Worker good(int number) {
    return capable(
        labelled(with(worker(number, 8, "default"), new Load(8, 1000, 4000)), Map.of("zone", "a")),
        "gpu");
  }

  private static Considered excluded(int number, WorkerGate gate, String detail) {
    return new Considered(
        id(number),
        "w" + number,
        gate == WorkerGate.OTHER_POOL ? null : "default",
        new Excluded(gate, detail));
  }
}
