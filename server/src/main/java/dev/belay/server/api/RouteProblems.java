package dev.belay.server.api;

import dev.belay.store.system.KnownRoutes;
import dev.belay.store.system.KnownRoutes.Route;
import dev.belay.workflow.BelayFile.RouteUse;
import dev.belay.workflow.Problem;
import java.util.List;
import java.util.stream.Stream;

/** The places of a workflow file that name a pool or a topic that nobody serves. */
final class RouteProblems {

  private RouteProblems() {}

  static Stream<Problem> of(String file, List<RouteUse> routes, KnownRoutes known) {
    return routes.stream()
        .flatMap(
            use ->
                known.warning(route(use)).stream()
                    .map(message -> new Problem(file, use.at(), message)));
  }

  static Route route(RouteUse use) {
    return new Route(use.topic(), use.pool());
  }
}
