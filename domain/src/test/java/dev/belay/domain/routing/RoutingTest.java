package dev.belay.domain.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.routing.Routing.Candidate;
import dev.belay.domain.routing.Routing.Worker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoutingTest {

  @Test
  void tasks_go_to_the_least_loaded_worker_of_their_pool_counting_what_was_just_assigned() {
    Worker busy = worker(1, 4, 3, "default");
    Worker idle = worker(2, 4, 0, "default");
    Worker other = worker(3, 9, 0, "gpu");
    Map<Worker, List<Candidate>> assigned =
        Routing.assign(candidates(5, "default"), List.of(busy, idle, other));

    assertThat(assigned.get(idle)).hasSize(4);
    assertThat(assigned.get(busy)).hasSize(1);
    assertThat(assigned).doesNotContainKey(other);
  }

  @Test
  void a_full_worker_gets_nothing_and_the_rest_waits() {
    assertThat(Routing.assign(candidates(3, "default"), List.of(worker(1, 2, 2, "default"))))
        .isEmpty();
    assertThat(
            Routing.assign(candidates(3, "default"), List.of(worker(1, 2, 1, "default"))).values())
        .containsExactly(candidates(1, "default"));
  }

  @Test
  void the_free_slots_of_a_pool_are_those_of_its_workers() {
    assertThat(
            Routing.freeByPool(
                List.of(worker(1, 4, 1, "a", "b"), worker(2, 2, 0, "b"), worker(3, 1, 1, "c"))))
        .isEqualTo(Map.of("a", 3, "b", 5));
  }

  private static List<Candidate> candidates(int count, String pool) {
    return IntStream.range(0, count).mapToObj(i -> new Candidate(task(i), pool, 0)).toList();
  }

  private static TaskId task(int number) {
    return new TaskId(new UUID(7, number));
  }

  private static Worker worker(int number, int slots, int active, String... pools) {
    return new Worker(
        new WorkerId(new UUID(1, number)),
        new SessionId(new UUID(2, number)),
        Set.of(pools),
        slots,
        active);
  }
}
