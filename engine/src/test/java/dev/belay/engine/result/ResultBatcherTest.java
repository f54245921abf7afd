package dev.belay.engine.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import dev.belay.domain.id.WorkerId;
import dev.belay.engine.EngineSettings;
import dev.belay.engine.loop.Signal;
import dev.belay.engine.port.Effects;
import dev.belay.engine.port.Hints;
import dev.belay.engine.port.Meters;
import dev.belay.session.gateway.Settlement;
import dev.belay.session.gateway.Settlement.Answer;
import dev.belay.session.gateway.WorkerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultBatcherTest {

  private final Store store = new Store();
  private final List<WorkerEvent> answered = new ArrayList<>();
  private final EngineSettings settings = EngineSettings.of(1, 1);
  private final ResultBatcher results =
      new ResultBatcher(
          store, Hints.NONE, Meters.NONE, () -> 0, settings, new Signal(), over -> {});

  @Test
  void reports_outlive_a_store_that_is_away_whole_and_in_order() {
    var events = events(8);
    results.offer(events.subList(0, 4), this::answered);
    store.failure = new Away();
    assertThat(results.runOnce()).isEqualTo(settings.storeRetry());
    assertThat(results.runOnce()).isEqualTo(settings.storeRetry());
    assertThat(store.tries).as("not tried in halves: each would wait as long").isEqualTo(2);
    assertThat(answered).isEmpty();

    results.offer(events.subList(4, 8), this::answered);
    store.failure = null;
    assertThat(results.runOnce()).isEqualTo(Duration.ZERO);
    assertThat(store.written).isEqualTo(events);
    assertThat(answered).isEqualTo(events);
    assertThat(results.depth()).isZero();
  }

  @Test
  void one_report_that_cannot_be_written_stops_no_other() {
    var events = events(8);
    store.poison = events.get(5);
    results.offer(events, this::answered);
    assertThat(results.runOnce()).isEqualTo(settings.storeRetry());
    assertThat(answered).hasSize(7).doesNotContain(events.get(5));
    assertThat(results.depth()).isEqualTo(1);
  }

  @Test
  void more_reports_than_may_wait_are_refused_whole() {
    store.failure = new Away();
    assertThat(results.offer(events(settings.resultsQueue()), this::answered)).isTrue();
    assertThat(results.offer(events(1), this::answered)).isFalse();
    results.runOnce();
    assertThat(results.depth()).isEqualTo(settings.resultsQueue());
  }

  @Test
  void a_message_with_more_results_than_may_wait_is_taken_when_none_waits() {
    assertThat(results.offer(events(settings.resultsQueue() + 1), this::answered)).isTrue();
    assertThat(results.offer(events(1), this::answered)).isFalse();
  }

  private void answered(List<Settlement> settlements) {
    settlements.forEach(settlement -> answered.add(settlement.event()));
  }

  private static List<WorkerEvent> events(int count) {
    var worker = new WorkerId(new UUID(1, 1));
    var session = new SessionId(new UUID(2, 2));
    return IntStream.range(0, count)
        .<WorkerEvent>mapToObj(
            i ->
                new WorkerEvent.Started(
                    worker, session, new DispatchId(new UUID(3, i)), new TaskId(new UUID(4, i)), i))
        .toList();
  }

  private static final class Away extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** In memory; fails on demand. */
  private static final class Store implements Results {
    private final List<WorkerEvent> written = new ArrayList<>();
    private @Nullable RuntimeException failure;
    private @Nullable WorkerEvent poison;
    private int tries;

    @Override
    public Written write(List<WorkerEvent> events) {
      tries++;
      if (failure != null) {
        throw failure;
      }
      if (poison != null && events.contains(poison)) {
        throw new IllegalStateException("cannot be written");
      }
      written.addAll(events);
      return new Written(
          events.stream().map(event -> new Settlement(event, Answer.APPLIED)).toList(),
          Effects.NONE,
          false,
          false);
    }

    @Override
    public boolean isAway(RuntimeException failed) {
      return failed instanceof Away;
    }
  }
}
