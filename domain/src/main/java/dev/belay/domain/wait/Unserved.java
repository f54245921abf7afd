package dev.belay.domain.wait;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.routing.Choice.Refused;
import dev.belay.domain.routing.Explanation;
import dev.belay.domain.routing.Refusal;
import dev.belay.domain.routing.Request;
import dev.belay.domain.routing.Router;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Why nothing that is known could ever run the tasks of a task queue.
 *
 * @param detail for people
 */
public record Unserved(Refusal reason, String detail) {

  /**
   * What decides it: workers with the right labels, or with enough slots, may come to a pool at any
   * time.
   */
  public static Placement decisive(Placement placement) {
    return new Placement(
        placement.topic(),
        placement.pool(),
        placement.requires(),
        Map.of(),
        null,
        Size.ONE_SLOT,
        null);
  }

  /**
   * @param router knows all workers that ever registered
   * @return empty when something could run them, now or when it comes back
   */
  public static Optional<Unserved> of(Placement placement, Router router) {
    Explanation routing = router.explain(Request.of(placement, 1, Instant.EPOCH), 0);
    Refused refused = routing.refused();
    return refused == null || !refused.usesTries()
        ? Optional.empty()
        : Optional.of(
            new Unserved(refused.reason(), Blockages.detail(refused, placement, routing)));
  }
}
