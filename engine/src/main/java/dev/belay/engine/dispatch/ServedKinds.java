package dev.belay.engine.dispatch;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import dev.belay.domain.queue.Placement;
import dev.belay.domain.routing.Load;
import dev.belay.domain.routing.Router;
import dev.belay.domain.routing.RoutingSettings;
import dev.belay.domain.routing.Worker;
import dev.belay.domain.wait.Unserved;
import dev.belay.engine.port.KnownWorkers;
import dev.belay.engine.port.KnownWorkers.Kind;
import dev.belay.engine.port.RoutingReads;
import dev.belay.engine.port.RoutingReads.Declared;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which placements anything that is known could serve: what people declared, and the kinds of
 * workers that ever registered. For one thread.
 */
final class ServedKinds {

  private final RoutingReads routing;
  private final KnownWorkers workers;
  private Router router = router(List.of());
  private Set<Kind> kinds = Set.of();
  private long version = -1;

  /** One entry for each topic, pool and set of capabilities that tasks name. */
  private final Map<Placement, Optional<Unserved>> answers = new HashMap<>();

  ServedKinds(RoutingReads routing, KnownWorkers workers) {
    this.routing = routing;
    this.workers = workers;
  }

  /** Reads what changed; returns whether something did. */
  boolean look() {
    long nowVersion = routing.version();
    Set<Kind> nowKinds = new HashSet<>(workers.kinds());
    if (nowVersion == version && nowKinds.equals(kinds)) {
      return false;
    }
    Declared declared = routing.declared();
    router = router(nowKinds);
    router.declare(declared.pools(), declared.topics());
    answers.clear();
    version = declared.version();
    kinds = nowKinds;
    return true;
  }

  /** Of what people declared, as it was at the last look. */
  long version() {
    return version;
  }

  Optional<Unserved> whyNot(Placement placement) {
    return answers.computeIfAbsent(
        Unserved.decisive(placement), decisive -> Unserved.of(decisive, router));
  }

  /** Each kind is a worker of its own, with a slot, idle. */
  private static Router router(Collection<Kind> kinds) {
    List<Worker> all = new ArrayList<>(kinds.size());
    for (Kind kind : kinds) {
      var id = new UUID(0, all.size());
      all.add(
          new Worker(
              new WorkerId(id),
              new SessionId(id),
              id.toString(),
              new Worker.Traits(kind.pools(), kind.capabilities(), Map.of()),
              Load.slots(1),
              Load.NONE,
              Worker.Condition.IDLE));
    }
    var router = new Router(RoutingSettings.DEFAULT, worker -> List.of());
    router.replace(all);
    return router;
  }
}
