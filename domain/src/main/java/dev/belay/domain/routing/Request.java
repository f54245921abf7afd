package dev.belay.domain.routing;

import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a worker for one task.
 *
 * @param avoid the worker on which the task just failed
 * @param poolHasRoom whether the limit of a pool leaves room
 */
public record Request(
    Placement placement,
    int priority,
    @Nullable WorkerId avoid,
    Predicate<String> poolHasRoom,
    Instant now) {

  public static Request of(Placement placement, int priority, Instant now) {
    return new Request(placement, priority, null, any -> true, now);
  }

  public Request avoiding(@Nullable WorkerId worker) {
    return new Request(placement, priority, worker, poolHasRoom, now);
  }

  public Request within(Predicate<String> pools) {
    return new Request(placement, priority, avoid, pools, now);
  }
}
