package dev.belay.domain.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.limit.LimitKind;
import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Places;
import dev.belay.domain.limit.Room;
import dev.belay.domain.limit.Room.Full;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.routing.Request;
import dev.belay.domain.routing.Router;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.routing.Topic;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.routing.Worker.Condition;
import dev.belay.domain.routing.Worker.Presence;
import dev.belay.domain.routing.Worker.Traits;
import dev.belay.domain.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reasons of the dispatcher's own predicates. */
class BlockagesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(7);
  private static final Room ROOM = new Room(Room.UNLIMITED, List.of());

  private List<TaskId> holders = List.of();
  private final Router router = new Router(RoutingSettings.DEFAULT, any -> List.of());

  @Test
  void a_task_that_nothing_blocks_starts_in_a_moment() {
    router.replace(List.of(worker(1, 2, "default", Presence.PRESENT)));

    assertThat(wait(Placement.inPool("default")).reason()).isEqualTo(WaitReason.SCHEDULER);
  }

  @Test
  void limits_are_named_with_their_numbers() {
    TaskQueue queue = new TaskQueue("a", null, Placement.inPool("default"), null, null);
    Places places = new Places();
    places.add(queue, "default", 2);
    Limits limits = new Limits(Map.of("default", 2), Map.of("a", 1), Map.of());

    Wait wait = wait(queue.placement(), places.room(queue, List.of("default"), limits, 0));

    assertThat(wait)
        .isEqualTo(
            new Wait(
                WaitReason.TENANT_LIMIT,
                "tenant a has 2 of 1 tasks running; tasks of pool default hold 2 of 2 slots",
                BEFORE,
                null));
    assertThat(full(LimitKind.MAX_TASKS))
        .isEqualTo("max_tasks: workflow x has 3 of 3 tasks running (max_tasks)");
    assertThat(full(LimitKind.CONCURRENCY))
        .isEqualTo("concurrency: concurrency key x has 3 of 3 tasks running");
    assertThat(full(LimitKind.RATE_LIMIT))
        .isEqualTo("rate_limit: rate limit x has used 3 of 3 tokens");
    assertThat(full(LimitKind.POOL_SLOTS))
        .isEqualTo("pool_slots: tasks of pool x hold 3 of 3 slots");
  }

  @Test
  void holders_of_a_limit_are_named() {
    holders = List.of(new TaskId(new UUID(3, 1)), new TaskId(new UUID(3, 2)));
    assertThat(full(LimitKind.CONCURRENCY))
        .isEqualTo(
            "concurrency: concurrency key x has 3 of 3 tasks running: %s, %s"
                .formatted(holders.get(0), holders.get(1)));
  }

  @Test
  void a_topic_without_a_pool_and_missing_capabilities_are_no_pool_mapping() {
    router.replace(List.of(worker(1, 2, "default", Presence.PRESENT)));
    router.declare(List.of(), List.of(new Topic("etl", List.of("default"))));

    assertThat(said(onTopic("other", null))).isEqualTo("no_pool_mapping: no pool runs topic other");
    assertThat(said(onTopic("etl", "gpu")))
        .isEqualTo("no_pool_mapping: pool gpu does not run topic etl");
    assertThat(said(onTopic("etl", null, "gpu", "ssd")))
        .isEqualTo("no_pool_mapping: nothing in the pools of topic etl has gpu, ssd");
  }

  @Test
  void tries_that_are_used_up_say_when_it_is_given_up() {
    Placement placement = Placement.inPool("gpu");
    Instant end = NOW.plusSeconds(60);
    Blockage blockage =
        new Blockage(
            placement,
            ROOM,
            router.explain(Request.of(placement, 50, NOW), 0),
            List.of(),
            new Blockage.Tries(3, 50, BEFORE.minusSeconds(1), end));

    assertThat(of(blockage))
        .isEqualTo(
            new Wait(
                WaitReason.NO_WORKERS,
                "no worker of pool gpu ever came; tried 3 times, given up after 50",
                BEFORE.minusSeconds(1),
                end));
  }

  @Test
  void workers_that_cannot_are_counted_by_their_gates() {
    router.replace(
        List.of(
            worker(1, 4, "default", Presence.SILENT),
            worker(2, 4, "default", Presence.SILENT),
            worker(3, 4, "default", Presence.DRAINING),
            worker(4, 4, "other", Presence.PRESENT)));
    assertThat(said(Placement.inPool("default")))
        .isEqualTo("no_workers: no worker of pool default takes work: 2 silent, 1 draining");

    router.replace(List.of(worker(1, 4, "default", Presence.PRESENT).holding(Load.slots(3))));
    Placement wide =
        new Placement(null, "default", new TreeSet<>(), Map.of(), null, new Size(2, 0, 0), null);
    assertThat(said(wide))
        .isEqualTo(
            "pool_overloaded: no worker of pool default has room (3 of 4 slots taken, the task"
                + " needs 2): 1 slots");
  }

  @Test
  void an_inactive_pool_and_one_at_its_limit_are_named() {
    router.replace(List.of(worker(1, 4, "default", Presence.PRESENT)));
    Placement placement = Placement.inPool("default");
    Request request = Request.of(placement, 50, NOW).within(any -> false);
    assertThat(
            of(new Blockage(placement, ROOM, router.explain(request, 0), List.of(), null)).detail())
        .isEqualTo("pool default has no slot left");

    router.declare(
        List.of(new Pool("default", Pool.State.DRAINING, Set.of(), Pool.Strategy.SPREAD)),
        List.of());
    assertThat(said(placement)).isEqualTo("pool_inactive: pool default is draining or inactive");
  }

  private String full(LimitKind kind) {
    Wait wait = wait(Placement.inPool("default"), new Room(0, List.of(new Full(kind, "x", 3, 3))));
    return wait.reason().word() + ": " + wait.detail();
  }

  private String said(Placement placement) {
    Wait wait = wait(placement);
    return wait.reason().word() + ": " + wait.detail();
  }

  private Wait wait(Placement placement) {
    return wait(placement, ROOM);
  }

  private Wait wait(Placement placement, Room room) {
    return of(
        new Blockage(
            placement, room, router.explain(Request.of(placement, 50, NOW), 0), holders, null));
  }

  private static Wait of(Blockage blockage) {
    WaitingTask task =
        new WaitingTask(TaskState.SCHEDULED, BEFORE, null, null, false, null, List.of());
    WaitFacts facts = new WaitFacts(NOW, new WaitFacts.Leader("one", true, NOW));
    return Waits.ofTask(task, facts, blockage).orElseThrow();
  }

  private static Placement onTopic(String topic, @Nullable String pool, String... requires) {
    return new Placement(
        topic, pool, new TreeSet<>(Set.of(requires)), Map.of(), null, Size.ONE_SLOT, null);
  }

  private static Worker worker(int number, int slots, String pool, Presence presence) {
    return new Worker(
        new WorkerId(new UUID(1, number)),
        new SessionId(new UUID(2, number)),
        "w" + number,
        Traits.ofPools(pool),
        Load.slots(slots),
        Load.NONE,
        new Condition(presence, false, 0, 0, 0, null));
  }
}
