package dev.belay.domain.wait;

import dev.belay.domain.id.TaskId;
import dev.belay.domain.limit.Room;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.PlacementBackoff;
import dev.belay.domain.routing.Explanation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the dispatcher's own predicates say about the first task of a task queue.
 *
 * @param room that the limits leave
 * @param routing which worker it would get, or why none
 * @param holders some of the tasks that hold the places of the first limit that leaves no room
 * @param tries null unless no worker could ever run it
 */
public record Blockage(
    Placement placement,
    Room room,
    Explanation routing,
    List<TaskId> holders,
    @Nullable Tries tries) {

  public Blockage {
    holders = List.copyOf(holders);
  }

  /**
   * @param since when it could not be placed for the first time
   * @param givenUpAt when the last try fails
   */
  public record Tries(int used, int max, Instant since, Instant givenUpAt) {

    /**
     * @param seed of the jitter
     */
    public static Tries of(PlacementBackoff backoff, Instant since, Instant now, long seed) {
      return new Tries(
          backoff.tries(since, now, seed),
          backoff.triesMax(),
          since,
          backoff.givenUpAt(since, seed));
    }
  }
}
