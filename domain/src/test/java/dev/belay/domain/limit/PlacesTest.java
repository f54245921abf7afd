package dev.belay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.limit.Room.Full;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlacesTest {

  private static final List<String> DEFAULT = List.of("default");

  private final Places places = new Places();

  @Test
  void without_limits_the_room_is_unlimited() {
    assertThat(places.room(queue(null, 1, null, null), DEFAULT, Limits.NONE, 0))
        .isEqualTo(new Room(Room.UNLIMITED, List.of()));
    assertThat(places.hasRoom("default", Size.ONE_SLOT, Limits.NONE)).isTrue();
  }

  @Test
  void the_smallest_limit_decides() {
    Limits limits =
        new Limits(Map.of("default", 10), Map.of("a", 5), Map.of(new OfTenant("a", "etl"), 3));
    TaskQueue queue = queue("etl", 2, new Concurrency("day", 4, OnConflict.QUEUE), null);
    assertThat(places.room(queue, DEFAULT, limits, 0).tasks()).isEqualTo(3);

    places.add(queue, "default", 2);
    assertThat(places.room(queue, DEFAULT, limits, 0).tasks()).isEqualTo(1);
    assertThat(places.room(queue(null, 1, null, null), DEFAULT, limits, 0).tasks()).isEqualTo(3);

    places.add(queue, "default", 2);
    assertThat(places.room(queue, DEFAULT, limits, 0))
        .isEqualTo(
            new Room(
                0,
                List.of(
                    new Full(LimitKind.MAX_TASKS, "etl", 4, 3),
                    new Full(LimitKind.CONCURRENCY, "day", 4, 4))));

    places.remove(queue, "default", 4);
    assertThat(places.room(queue, DEFAULT, limits, 0).tasks()).isEqualTo(3);
  }

  @Test
  void the_smallest_limit_of_a_key_that_waits_or_runs_counts() {
    TaskQueue three = queue(null, 1, new Concurrency("day", 3, OnConflict.QUEUE), null);
    TaskQueue two = queue(null, 1, new Concurrency("day", 2, OnConflict.QUEUE), null);
    TaskQueue one = queue(null, 1, new Concurrency("day", 1, OnConflict.QUEUE), null);
    places.waits(three);
    places.waits(one);
    assertThat(places.hasSeveralLimits(three)).isTrue();
    assertThat(places.room(three, DEFAULT, Limits.NONE, 0).tasks()).isEqualTo(1);
    places.waitsNoMore(one);
    assertThat(places.hasSeveralLimits(three)).isFalse();
    assertThat(places.room(three, DEFAULT, Limits.NONE, 0).tasks()).isEqualTo(3);
    places.add(two, "default", 1);
    places.add(three, "default", 1);
    assertThat(places.room(three, DEFAULT, Limits.NONE, 0))
        .isEqualTo(new Room(0, List.of(new Full(LimitKind.CONCURRENCY, "day", 2, 2))));
    places.remove(two, "default", 1);
    assertThat(places.room(three, DEFAULT, Limits.NONE, 0).tasks()).isEqualTo(2);
    places.clear();
    places.waits(two);
    assertThat(places.room(three, DEFAULT, Limits.NONE, 0).tasks()).isEqualTo(2);
  }

  @Test
  void a_pool_counts_slots_and_a_wide_task_needs_all_of_its_own() {
    Limits limits = new Limits(Map.of("default", 10), Map.of(), Map.of());
    TaskQueue wide = queue(null, 4, null, null);
    assertThat(places.room(wide, DEFAULT, limits, 0).tasks()).isEqualTo(2);

    places.add(wide, "default", 2);
    assertThat(places.room(wide, DEFAULT, limits, 0))
        .isEqualTo(new Room(0, List.of(new Full(LimitKind.POOL_SLOTS, "default", 8, 10))));
    assertThat(places.room(queue(null, 1, null, null), DEFAULT, limits, 0).tasks()).isEqualTo(2);
    assertThat(places.hasRoom("default", wide.placement().size(), limits)).isFalse();
    assertThat(places.hasRoom("default", Size.ONE_SLOT, limits)).isTrue();
  }

  @Test
  void any_pool_of_a_topic_gives_room() {
    Limits limits = new Limits(Map.of("a", 1, "b", 2), Map.of(), Map.of());
    TaskQueue queue = queue(null, 1, null, null);
    places.add(queue, "a", 1);

    assertThat(places.room(queue, List.of("a", "b"), limits, 0).tasks()).isEqualTo(2);
    assertThat(places.room(queue, List.of("a", "unlimited"), limits, 0).tasks())
        .isEqualTo(Room.UNLIMITED);
    places.add(queue, "b", 2);
    assertThat(places.room(queue, List.of("a", "b"), limits, 0).full())
        .containsExactly(
            new Full(LimitKind.POOL_SLOTS, "a", 1, 1), new Full(LimitKind.POOL_SLOTS, "b", 2, 2));
    assertThat(places.room(queue, List.of(), limits, 0).isFull())
        .as("routing says why no pool may run it")
        .isFalse();
  }

  @Test
  void tokens_are_room() {
    TaskQueue queue = queue(null, 1, null, new RateLimit("api", 10, Duration.ofSeconds(1)));

    assertThat(places.room(queue, DEFAULT, Limits.NONE, 7).tasks()).isEqualTo(7);
    assertThat(places.room(queue, DEFAULT, Limits.NONE, 0))
        .isEqualTo(new Room(0, List.of(new Full(LimitKind.RATE_LIMIT, "api", 10, 10))));
  }

  @Test
  void a_key_and_a_workflow_are_of_one_tenant() {
    TaskQueue narrow = queue("etl", 1, new Concurrency("day", 1, OnConflict.QUEUE), null);
    TaskQueue other = new TaskQueue("b", "etl", narrow.placement(), narrow.concurrency(), null);
    places.add(narrow, "default", 1);

    assertThat(places.room(narrow, DEFAULT, Limits.NONE, 0).isFull()).isTrue();
    assertThat(places.room(other, DEFAULT, Limits.NONE, 0).tasks()).isEqualTo(1);
  }

  @Test
  void a_limit_may_be_lowered_raised_and_removed() {
    TaskQueue queue = queue(null, 1, null, null);
    places.add(queue, "default", 5);

    assertThat(places.room(queue, DEFAULT, ofTenant(7), 0).tasks()).isEqualTo(2);
    assertThat(places.room(queue, DEFAULT, ofTenant(2), 0))
        .isEqualTo(new Room(0, List.of(new Full(LimitKind.TENANT_LIMIT, "a", 5, 2))));
    assertThat(places.room(queue, DEFAULT, ofTenant(0), 0).isFull()).isTrue();
    assertThat(places.room(queue, DEFAULT, Limits.NONE, 0).tasks()).isEqualTo(Room.UNLIMITED);
  }

  @Test
  void whoever_starts_what_has_room_never_exceeds_a_limit() {
    Random random = new Random(3);
    Limits limits = new Limits(Map.of("p", 9), Map.of("a", 7), Map.of(new OfTenant("a", "etl"), 5));
    List<TaskQueue> queues =
        List.of(
            queue("etl", 1, new Concurrency("k", 3, OnConflict.QUEUE), null),
            queue("etl", 2, null, null),
            queue("other", 3, new Concurrency("k", 4, OnConflict.QUEUE), null),
            queue(null, 1, null, null));
    List<TaskQueue> running = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      if (!running.isEmpty() && random.nextInt(3) == 0) {
        places.remove(running.remove(random.nextInt(running.size())), "p", 1);
      } else {
        TaskQueue queue = queues.get(random.nextInt(queues.size()));
        int room = places.room(queue, List.of("p"), limits, 0).tasks();
        int start = Math.min(room, 1 + random.nextInt(3));
        places.add(queue, "p", start);
        for (int n = 0; n < start; n++) {
          running.add(queue);
        }
      }
      assertThat(running).hasSizeLessThanOrEqualTo(7);
      assertThat(running.stream().mapToInt(one -> one.placement().size().slots()).sum())
          .isLessThanOrEqualTo(9);
      assertThat(running.stream().filter(one -> "etl".equals(one.workflow())).count())
          .isLessThanOrEqualTo(5);
      assertThat(running.stream().filter(one -> one.concurrency() != null).count())
          .isLessThanOrEqualTo(4);
    }
    places.clear();
    assertThat(places.room(queues.getLast(), List.of("p"), limits, 0).tasks()).isEqualTo(7);
  }

  @Test
  void kinds_have_words() {
    assertThat(LimitKind.POOL_SLOTS.word()).isEqualTo("pool_slots");
  }

  private static Limits ofTenant(int running) {
    return new Limits(Map.of(), Map.of("a", running), Map.of());
  }

  private static TaskQueue queue(
      @Nullable String workflow,
      int slots,
      @Nullable Concurrency concurrency,
      @Nullable RateLimit rate) {
    Placement placement =
        new Placement(
            null, "default", new TreeSet<>(), Map.of(), null, new Size(slots, 0, 0), null);
    return new TaskQueue("a", workflow, placement, concurrency, rate);
  }
}
