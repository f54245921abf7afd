package dev.belay.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.QueueId;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.spec.QueueOf;
import dev.belay.domain.spec.RunPolicy;
import dev.belay.engine.port.QueueStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueueCatalogTest {

  private static final TaskQueue A = QueueOf.alone("default", "a", RunPolicy.DEFAULT);
  private static final TaskQueue B = QueueOf.alone("default", "b", RunPolicy.DEFAULT);

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> calls = new ArrayList<>();
  private final QueueCatalog catalog = new QueueCatalog(new FakeQueues(), nanos::get);

  private final class FakeQueues implements QueueStore {
    @Override
    public Map<TaskQueue, QueueId> intern(Collection<TaskQueue> queues) {
      calls.add("intern " + queues.size());
      Map<TaskQueue, QueueId> ids = new HashMap<>();
      queues.forEach(queue -> ids.put(queue, new QueueId(queue.equals(A) ? 1 : 2)));
      return ids;
    }

    @Override
    public Map<QueueId, TaskQueue> readQueues(Collection<QueueId> ids) {
      calls.add("read " + ids.size());
      return ids.contains(new QueueId(1)) ? Map.of(new QueueId(1), A) : Map.of();
    }
  }

  @Test
  void a_known_task_queue_costs_no_call() {
    assertThat(catalog.ids(List.of(A, A))).isEqualTo(Map.of(A, new QueueId(1)));
    assertThat(catalog.ids(List.of(A, B))).containsKeys(A, B);
    assertThat(catalog.ids(List.of(B, A))).containsKeys(A, B);
    assertThat(calls).containsExactly("intern 1", "intern 1");
  }

  @Test
  void a_task_queue_in_use_is_interned_again_long_before_it_could_be_deleted() {
    catalog.ids(List.of(A));
    nanos.addAndGet(Duration.ofDays(2).toNanos());
    catalog.ids(List.of(A));
    assertThat(calls).hasSize(2);
  }

  @Test
  void one_that_does_not_exist_is_looked_for_again() {
    var both = List.of(new QueueId(1), new QueueId(7));
    assertThat(catalog.specs(both)).isEqualTo(Map.of(new QueueId(1), A));
    assertThat(catalog.specs(both)).isEqualTo(Map.of(new QueueId(1), A));
    assertThat(calls).containsExactly("read 2", "read 1");
  }
}
