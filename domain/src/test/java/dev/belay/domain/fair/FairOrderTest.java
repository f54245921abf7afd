package dev.belay.domain.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FairOrderTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final FairOrder<String> order = new FairOrder<>(Ageing.OFF);

  @Test
  void tenants_share_by_weight_within_a_percent_while_all_of_them_wait() {
    Random random = new Random(1);
    for (int world = 0; world < 20; world++) {
      var fair = new FairOrder<String>(Ageing.OFF);
      Map<String, Integer> weights = new HashMap<>();
      int tenants = 2 + random.nextInt(6);
      for (int i = 0; i < tenants; i++) {
        weights.put("t" + i, 1 + random.nextInt(10));
        for (int queue = 0; queue <= random.nextInt(5); queue++) {
          fair.offer("t%d-%d".formatted(i, queue), waiting("t" + i, "w" + queue % 2, 50), NOW);
        }
      }
      fair.weigh(weights);

      Map<String, Integer> picks = new HashMap<>();
      for (int i = 0; i < 10_000; i++) {
        String queue = fair.next(NOW).orElseThrow();
        fair.took(queue, 1);
        picks.merge(queue.split("-")[0], 1, Integer::sum);
      }

      double sum = weights.values().stream().mapToInt(Integer::intValue).sum();
      weights.forEach(
          (tenant, weight) ->
              assertThat(picks.getOrDefault(tenant, 0) / 10_000.0)
                  .as("%s of %s", tenant, weights)
                  .isCloseTo(weight / sum, within(0.01)));
    }
  }

  @Test
  void a_wide_task_counts_as_many_slots() {
    order.offer("wide", waiting("a", null, 50), NOW);
    order.offer("narrow", waiting("b", null, 50), NOW);

    Map<String, Integer> slots = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      String queue = order.next(NOW).orElseThrow();
      int size = queue.equals("wide") ? 4 : 1;
      order.took(queue, size);
      slots.merge(queue, size, Integer::sum);
    }

    assertThat(slots.getOrDefault("wide", 0)).isCloseTo(slots.getOrDefault("narrow", 0), within(4));
  }

  @Test
  void a_tenant_with_three_tasks_does_not_wait_for_50_000_of_another() {
    order.weigh(Map.of("big", 10, "small", 1));
    order.offer("big", waiting("big", "etl", 50), NOW);
    pick(20_000);

    order.offer("small", waiting("small", null, 50), NOW);
    List<String> picks = pick(40);

    assertThat(picks.subList(0, 2)).contains("small");
    assertThat(picks.stream().filter("small"::equals).count()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void a_tenant_that_comes_late_gets_its_share_and_not_what_it_did_not_use() {
    order.offer("a", waiting("a", null, 50), NOW);
    pick(1_000);
    order.offer("b", waiting("b", null, 50), NOW);

    assertThat(pick(100).stream().filter("b"::equals).count()).isBetween(50L, 51L);
  }

  @Test
  void a_tenant_gains_nothing_by_leaving_and_coming_back() {
    for (String tenant : List.of("a", "b", "c", "d")) {
      order.offer(tenant, waiting(tenant, null, 50), NOW);
    }
    int picks = 0;
    for (int i = 0; i < 400; i++) {
      String queue = order.next(NOW).orElseThrow();
      order.took(queue, 1);
      if (queue.equals("a")) {
        picks++;
        order.leave("a");
      }
      order.offer("a", waiting("a", null, 50), NOW);
    }

    assertThat(picks).isBetween(99, 101);
  }

  @Test
  void a_tenant_that_was_on_hold_does_not_catch_up() {
    order.offer("a", waiting("a", null, 50), NOW);
    order.offer("b", waiting("b", null, 50), NOW);
    order.hold("a");
    assertThat(pick(100)).containsOnly("b");

    order.release("a");

    assertThat(pick(100).stream().filter("a"::equals).count()).isBetween(50L, 51L);
  }

  @Test
  void what_another_group_takes_does_not_count() {
    order.weigh(Map.of("a", 3, "b", 1));
    order.offer("a", new Waiting("slow", "a", null, 50, NOW), NOW);
    order.offer("b", new Waiting("slow", "b", null, 50, NOW), NOW);
    order.offer("fast", new Waiting("fast", "c", null, 50, NOW), NOW);

    Map<String, Integer> taken = new HashMap<>();
    for (int round = 0; round < 400; round++) {
      order.release("a");
      order.release("b");
      boolean slowIsFull = false;
      int picked = 0;
      while (picked < 10) {
        String queue = order.next(NOW).orElseThrow();
        if (!queue.equals("fast") && slowIsFull) {
          order.hold(queue);
        } else {
          slowIsFull |= !queue.equals("fast");
          order.took(queue, 1);
          taken.merge(queue, 1, Integer::sum);
          picked++;
        }
      }
    }

    assertThat(taken.get("a")).isEqualTo(300);
    assertThat(taken.get("b")).isEqualTo(100);
  }

  @Test
  void the_workflows_of_a_tenant_take_turns_and_so_do_the_queues_of_a_workflow() {
    order.offer("etl-1", waiting("a", "etl", 50), NOW);
    order.offer("etl-2", waiting("a", "etl", 50), NOW);
    order.offer("report", waiting("a", "report", 50), NOW);
    order.offer("alone", waiting("a", null, 50), NOW);

    assertThat(pick(6)).containsExactly("etl-1", "report", "alone", "etl-2", "report", "alone");
  }

  @Test
  void a_queue_that_comes_goes_behind_the_others_and_one_on_hold_keeps_its_turn() {
    order.offer("1", waiting("a", "etl", 50), NOW);
    order.offer("2", waiting("a", "etl", 50), NOW);
    order.hold("2");
    assertThat(pick(2)).containsExactly("1", "1");

    order.offer("3", waiting("a", "etl", 50), NOW);
    order.release("2");

    assertThat(pick(4)).containsExactly("2", "1", "3", "2");
  }

  @Test
  void closed_part_is_not_chosen_until_it_is_opened_whatever_is_offered_meanwhile() {
    order.offer("a1", waiting("a", "w", 50), NOW);
    order.offer("a2", waiting("a", "v", 50), NOW);
    order.offer("b1", waiting("b", "w", 40), NOW);
    order.close(new Part.OfTenant("a"));
    order.offer("a3", waiting("a", "u", 90), NOW);
    order.offer("a1", waiting("a", "w", 95), NOW);
    assertThat(pick(2)).containsOnly("b1");

    order.open(new Part.OfTenant("a"));
    assertThat(order.next(NOW)).hasValue("a1");
    order.close(new Part.OfWorkflow("a", "w"));
    assertThat(order.next(NOW)).hasValue("a3");
    order.close(new Part.OfGroup(waiting("a", "w", 1).group()));
    assertThat(order.next(NOW)).isEmpty();
    order.open(new Part.OfWorkflow("a", "w"));
    order.open(new Part.OfGroup(waiting("a", "w", 1).group()));
    assertThat(order.next(NOW)).hasValue("a1");
  }

  @Test
  void plan_leaves_out_a_tenant_as_a_whole_and_changes_nothing() {
    for (int i = 0; i < 100; i++) {
      order.offer("full" + i, waiting("full", "w" + i, 50), NOW);
    }
    order.offer("free", waiting("free", null, 50), NOW);
    int[] asked = new int[1];
    Map<String, Integer> planned =
        order.plan(
            queue -> {
              asked[0]++;
              return queue.equals("free") ? Turn.TAKE : Turn.SKIP_TENANT;
            },
            queue -> 1,
            3,
            NOW);
    assertThat(planned).isEqualTo(Map.of("free", 3));
    assertThat(asked[0]).isLessThanOrEqualTo(4);
    assertThat(pick(2)).as("it is only left out of the plan").contains("free").hasSize(2);
  }

  @Test
  void priority_always_wins() {
    Random random = new Random(2);
    Map<String, Integer> priorities = new HashMap<>();
    for (int i = 0; i < 10_000; i++) {
      String queue = "q" + random.nextInt(50);
      switch (random.nextInt(4)) {
        case 0 -> {
          order.leave(queue);
          priorities.remove(queue);
        }
        case 1 -> order.took(queue, 1 + random.nextInt(4));
        default -> {
          int priority = 1 + random.nextInt(100);
          priorities.put(queue, priority);
          order.offer(
              queue, waiting("t" + random.nextInt(3), "w" + random.nextInt(3), priority), NOW);
        }
      }
      int highest = priorities.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      assertThat(order.next(NOW).map(priorities::get).orElse(0)).isEqualTo(highest);
      assertThat(order.size()).isEqualTo(priorities.size());
    }
    priorities.keySet().forEach(order::leave);
    assertThat(order.next(NOW)).isEmpty();
  }

  @Test
  void queues_on_hold_are_not_chosen_and_those_that_left_are_forgotten() {
    order.offer("high", waiting("a", "etl", 90), NOW);
    order.offer("low", waiting("a", "etl", 10), NOW);

    order.hold("high");
    assertThat(order.next(NOW)).hasValue("low");
    order.hold("low");
    assertThat(order.next(NOW)).isEmpty();
    order.offer("high", waiting("a", "etl", 90), NOW);
    assertThat(order.next(NOW)).hasValue("high");

    order.leave("high");
    order.leave("low");
    order.release("high");
    order.hold("high");
    order.took("high", 1);
    order.leave("high");
    assertThat(order.next(NOW)).isEmpty();
    assertThat(order.size()).isZero();
  }

  @Test
  void a_waiting_task_rises_with_its_age_if_it_is_set() {
    var ageing = new FairOrder<String>(new Ageing(Duration.ofMinutes(1)));
    ageing.offer("old", new Waiting("", "a", null, 10, NOW), NOW);
    ageing.offer("held", new Waiting("", "a", null, 10, NOW), NOW);
    ageing.hold("held");
    Instant later = NOW.plus(Duration.ofMinutes(5));
    ageing.offer("new", new Waiting("", "a", null, 14, later.minusSeconds(1)), later);

    assertThat(ageing.next(later.minusSeconds(61))).hasValue("new");
    assertThat(ageing.next(later)).hasValue("old");

    Instant muchLater = NOW.plus(Duration.ofDays(1));
    ageing.offer("new", new Waiting("", "a", null, 99, muchLater), muchLater);
    assertThat(ageing.next(muchLater)).hasValue("old");
    ageing.offer("new", new Waiting("", "a", null, 100, muchLater), muchLater);
    ageing.took("old", 1);
    assertThat(ageing.next(muchLater)).as("they take turns at 100").hasValue("new");

    ageing.leave("new");
    ageing.leave("old");
    ageing.release("held");
    assertThat(ageing.next(NOW.plus(Duration.ofDays(1)))).hasValue("held");
  }

  @Test
  void ageing_forgets_tasks_that_are_gone() {
    var ageing = new FairOrder<Integer>(new Ageing(Duration.ofHours(1)));
    List<Integer> seen = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      Instant now = NOW.plusSeconds(i);
      ageing.offer(1, new Waiting("", "a", null, 50, now), now);
      ageing.next(now).ifPresent(seen::add);
    }
    assertThat(seen).hasSize(5_000).containsOnly(1);
  }

  @Test
  void the_effective_priority_is_bounded() {
    var ageing = new Ageing(Duration.ofSeconds(10));
    assertThat(ageing.effective(50, NOW, NOW.minusSeconds(100))).isEqualTo(50);
    assertThat(ageing.effective(50, NOW, NOW.plusSeconds(9))).isEqualTo(50);
    assertThat(ageing.effective(50, NOW, NOW.plusSeconds(10))).isEqualTo(51);
    assertThat(ageing.effective(50, NOW, NOW.plus(Duration.ofDays(10_000)))).isEqualTo(100);
    assertThat(Ageing.OFF.effective(50, NOW, NOW.plus(Duration.ofDays(1)))).isEqualTo(50);
    assertThatThrownBy(() -> new Ageing(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_plan_says_what_will_be_next_and_changes_nothing() {
    Random random = new Random(4);
    for (int world = 0; world < 200; world++) {
      var fair = new FairOrder<String>(Ageing.OFF);
      fair.weigh(Map.of("t0", 3, "t1", 2));
      for (int i = 0; i < 8; i++) {
        String queue = "q" + i;
        int priority = random.nextInt(4) == 0 ? 60 : 50;
        fair.offer(queue, waiting("t" + i % 3, "w" + random.nextInt(2), priority), NOW);
        fair.took(queue, 1 + random.nextInt(3));
      }
      int max = 1 + random.nextInt(40);
      Map<String, Integer> room = new HashMap<>();
      Map<String, Integer> planned =
          fair.plan(
              queue -> room.merge(queue, 1, Integer::sum) <= 5 ? Turn.TAKE : Turn.SKIP_QUEUE,
              queue -> 2,
              max,
              NOW);
      Map<String, Integer> picked = new HashMap<>();
      for (int i = 0; i < Math.min(max, 40); i++) {
        String queue = fair.next(NOW).orElseThrow();
        fair.took(queue, 2);
        if (picked.merge(queue, 1, Integer::sum) == 5) {
          fair.hold(queue);
        }
      }
      assertThat(picked).isEqualTo(planned);
    }
  }

  @Test
  void many_tenants_that_left_are_forgotten() {
    order.offer("stays", waiting("stays", null, 50), NOW);
    order.took("stays", 1);
    for (int i = 0; i < 10_100; i++) {
      order.offer("q", waiting("t" + i, null, 50), NOW);
      order.took("q", 1);
      order.leave("q");
    }
    order.offer("q", waiting("t5", null, 50), NOW);
    assertThat(order.next(NOW)).as("it starts anew").hasValue("q");
  }

  @Test
  void a_weight_is_positive() {
    assertThatThrownBy(() -> order.weigh(Map.of("a", 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weight of a");
  }

  private List<String> pick(int count) {
    List<String> picks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String queue = order.next(NOW).orElseThrow();
      order.took(queue, 1);
      picks.add(queue);
    }
    return picks;
  }

  private static Waiting waiting(String tenant, @Nullable String workflow, int priority) {
    return new Waiting("", tenant, workflow, priority, NOW);
  }
}
