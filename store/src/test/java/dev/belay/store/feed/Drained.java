package dev.belay.store.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.domain.id.RunId;
import dev.belay.domain.id.TaskId;
import dev.belay.engine.port.ChangeFeed;
import dev.belay.engine.port.ChangeFeed.Cursor;
import dev.belay.engine.port.ChangeFeed.Event;
import dev.belay.engine.port.ChangeFeed.Events;
import dev.belay.engine.port.ChangeFeed.RunEvent;
import dev.belay.engine.port.ChangeFeed.TaskEvent;
import dev.belay.store.fixture.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Everything that a reader gives from a cursor on. */
record Drained(List<Event> events, Cursor next) {

  /** Reads until nothing comes. */
  static Drained of(ChangeFeed feed, Cursor after, int limit) {
    var events = new ArrayList<Event>();
    for (Cursor next = after; ; ) {
      var answer = (Events) feed.read(next, limit);
      assertThat(answer.events()).hasSizeLessThanOrEqualTo(limit);
      events.addAll(answer.events());
      boolean stays = answer.next().equals(next);
      next = answer.next();
      if (answer.events().isEmpty() && stays) {
        return new Drained(events, next);
      }
    }
  }

  /** Waits for a moment in which nothing else, such as autovacuum, holds the reader back. */
  static Drained whole(StoreFixture rows, ChangeFeed feed, Cursor after) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> of(feed, after, 500),
            read -> read.next().batch() > Long.parseLong(rows.text("SELECT max(id) FROM feed")));
  }

  /** The states of a task, in order. */
  String path(TaskId task) {
    return events.stream()
        .filter(event -> event instanceof TaskEvent of && of.task().equals(task))
        .map(event -> ((TaskEvent) event).state().name())
        .collect(Collectors.joining(" "));
  }

  /** The states of a run, in order. */
  String path(RunId run) {
    return events.stream()
        .filter(event -> event instanceof RunEvent of && of.run().equals(run))
        .map(event -> ((RunEvent) event).state().name())
        .collect(Collectors.joining(" "));
  }
}
