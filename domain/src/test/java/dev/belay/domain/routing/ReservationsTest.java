package dev.belay.domain.routing;

import static dev.belay.domain.routing.Workers.equal;
import static dev.belay.domain.routing.Workers.id;
import static dev.belay.domain.routing.Workers.setAside;
import static dev.belay.domain.routing.Workers.sized;
import static dev.belay.domain.routing.Workers.worker;
import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Chosen;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.HeldTasks.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A wide task among narrow ones. */
class ReservationsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Placement NARROW = sized(Size.ONE_SLOT, null);
  private static final Placement WIDE = sized(new Size(4, 0, 0), null);

  private final Map<WorkerId, List<Held>> held = new HashMap<>();
  private final Router router =
      new Router(RoutingSettings.DEFAULT, worker -> held.getOrDefault(worker, List.of()));

  @Test
  void a_wide_task_starts_within_one_task_length_of_a_stream_of_narrow_ones() {
    router.replace(equal(3, 4));
    record Running(WorkerId worker, int endsAt) {}
    List<Running> running = new ArrayList<>();
    int wideStarted = -1;
    int length = 10;
    for (int second = 0; second < 60 && wideStarted < 0; second++) {
      Instant now = NOW.plusSeconds(second);
      int tick = second;
      running.stream()
          .filter(task -> task.endsAt() == tick)
          .forEach(task -> router.release(task.worker(), Size.ONE_SLOT));
      if (second >= 20 && router.place(Request.of(WIDE, 50, now)) instanceof Chosen) {
        wideStarted = second;
      }
      // Some end each second, so no worker ever empties by itself.
      for (int i = 0; i < 2; i++) {
        if (router.place(Request.of(NARROW, 50, now)) instanceof Chosen chosen) {
          running.add(new Running(chosen.worker().id(), second + length));
        }
      }
    }

    assertThat(wideStarted).isBetween(20, 30);
  }

  @Test
  void the_worker_that_has_room_soonest_is_kept() {
    fill(1, 4, 90);
    fill(2, 4, 30);
    fill(3, 4, null);
    assertThat(place(WIDE, 50, 0)).isNull();

    router.release(id(1), Size.ONE_SLOT);
    router.release(id(2), Size.ONE_SLOT);
    router.release(id(3), Size.ONE_SLOT);

    assertThat(place(NARROW, 50, 0)).isIn(id(1), id(3));
    assertThat(place(NARROW, 50, 0)).isIn(id(1), id(3));
    assertThat(place(NARROW, 50, 0)).isNull();
    assertThat(router.explain(request(NARROW, 50, 0), 10).excluded())
        .containsEntry(WorkerGate.RESERVED, 1);
  }

  @Test
  void a_task_that_ends_before_may_use_the_kept_slots_and_so_may_a_higher_priority() {
    fill(1, 4, 30);
    assertThat(place(WIDE, 50, 0)).isNull();
    router.release(id(1), Size.ONE_SLOT);

    Placement tooLong = sized(Size.ONE_SLOT, Duration.ofSeconds(31));
    Placement brief = sized(Size.ONE_SLOT, Duration.ofSeconds(30));
    assertThat(place(tooLong, 50, 0)).isNull();
    assertThat(place(brief, 50, 1)).as("a second later").isNull();
    assertThat(place(brief, 50, 0)).isEqualTo(id(1));
    router.release(id(1), Size.ONE_SLOT);
    assertThat(place(NARROW, 51, 0)).isEqualTo(id(1));
  }

  @Test
  void without_timeouts_the_worker_with_most_room_is_kept() {
    fill(1, 4, null);
    fill(2, 2, null);
    assertThat(place(WIDE, 50, 0)).isNull();

    assertThat(place(NARROW, 50, 0)).isNull();
    router.release(id(2), new Size(2, 0, 0));
    assertThat(place(WIDE, 50, 0)).isEqualTo(id(2));
    assertThat(place(NARROW, 50, 0)).isNull();
    router.release(id(1), Size.ONE_SLOT);
    assertThat(place(NARROW, 50, 0)).as("nothing is kept any more").isEqualTo(id(1));
  }

  @Test
  void a_worker_is_not_kept_for_a_task_that_no_longer_asks() {
    fill(1, 3, null);
    assertThat(place(WIDE, 50, 0)).isNull();
    assertThat(place(NARROW, 50, 4)).isNull();
    assertThat(place(WIDE, 50, 4)).isNull();
    assertThat(place(NARROW, 50, 9)).isNull();
    assertThat(place(NARROW, 50, 10)).isEqualTo(id(1));
  }

  @Test
  void one_worker_of_a_pool_is_kept_for_the_first_wide_task_or_a_more_important_one() {
    fill(1, 3, null);
    fill(2, 2, null);
    Placement other = sized(new Size(3, 0, 0), null);
    assertThat(place(WIDE, 50, 0)).isNull();
    assertThat(place(other, 50, 0)).isNull();
    assertThat(place(NARROW, 50, 0)).as("only one is kept").isEqualTo(id(1));
    router.release(id(1), Size.ONE_SLOT);

    assertThat(place(other, 60, 0)).isNull();
    assertThat(place(NARROW, 55, 0)).isEqualTo(id(1));
    assertThat(place(NARROW, 55, 0)).isNull();
    assertThat(place(WIDE, 50, 6)).as("the other one no longer asks").isNull();
    assertThat(place(NARROW, 50, 6)).isNull();
  }

  @Test
  void a_kept_worker_that_goes_away_is_replaced() {
    fill(1, 3, null);
    fill(2, 3, null);
    assertThat(place(WIDE, 50, 0)).isNull();
    assertThat(place(NARROW, 50, 0)).isEqualTo(id(2));
    router.release(id(2), Size.ONE_SLOT);

    replace(setAside(worker(1, 4, "default")), full(2, 3));
    assertThat(place(WIDE, 50, 0)).isNull();
    assertThat(place(NARROW, 50, 0)).isNull();

    replace(full(3, 3));
    assertThat(place(WIDE, 50, 0)).isNull();
    assertThat(place(NARROW, 50, 0)).as("number 3 is kept").isNull();
  }

  @Test
  void of_several_pools_one_worker_is_kept() {
    Placement wide =
        new Placement("t", null, new TreeSet<>(), Map.of(), null, new Size(4, 0, 0), null);
    router.declare(List.of(), List.of(new Topic("t", List.of("a", "b"))));
    router.replace(
        List.of(
            worker(1, 4, "a").holding(Load.slots(3)), worker(2, 4, "b").holding(Load.slots(2))));
    assertThat(place(wide, 50, 0)).isNull();
    assertThat(place(wide, 50, 1)).isNull();

    assertThat(place(Placement.inPool("b"), 50, 1)).isNull();
    assertThat(place(Placement.inPool("a"), 50, 1)).isEqualTo(id(1));
  }

  /**
   * @param seconds until they end; null means unknown
   */
  private void fill(int number, int tasks, @Nullable Integer seconds) {
    List<Held> on = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      on.add(new Held(Size.ONE_SLOT, seconds == null ? null : NOW.plusSeconds(seconds)));
    }
    held.put(id(number), on);
    workers.put(number, full(number, tasks));
    router.replace(workers.values());
  }

  private final Map<Integer, Worker> workers = new HashMap<>();

  private void replace(Worker... others) {
    router.replace(List.of(others));
  }

  private static Worker full(int number, int tasks) {
    return worker(number, 4, "default").holding(Load.slots(tasks));
  }

  private @Nullable WorkerId place(Placement placement, int priority, int second) {
    return switch (router.place(request(placement, priority, second))) {
      case Chosen chosen -> chosen.worker().id();
      case Refused refused -> {
        assertThat(refused.reason()).isEqualTo(Refusal.POOL_OVERLOADED);
        yield null;
      }
    };
  }

  private static Request request(Placement placement, int priority, int second) {
    return Request.of(placement, priority, NOW.plusSeconds(second));
  }
}
