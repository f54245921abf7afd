package dev.belay.server.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServerBuilder;
import dev.belay.server.Limit;
import java.time.Duration;

/** Puts the REST API on a server. */
public final class RestApi {

  /** The time of an ordinary call; waits and streams get more. */
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  private RestApi() {}

  /**
   * Adds the routes, the check of the Host header (for every service of the server) and the shape
   * of errors.
   */
  public static void install(ServerBuilder server, RestDependencies parts) {
    var waiting = new Waiting(parts.host().changes(), parts.host().ticker());
    install(server, parts, waiting);
  }

  static void install(ServerBuilder server, RestDependencies parts, Waiting waiting) {
    var handlers =
        new Route.Handlers(
            new TaskHandlers(parts, waiting),
            new LogHandlers(parts, waiting),
            new WorkflowHandlers(parts),
            new RunHandlers(parts, waiting),
            new RecoveryHandlers(parts),
            new ServerHandlers(parts));
    for (var route : Route.values()) {
      server
          .route()
          .path(route.path())
          .methods(route.method())
          .maxRequestLength(parts.limits().of(Limit.BODY_MAX))
          .requestTimeout(REQUEST_TIMEOUT)
          .build(new RouteService(route, handlers, parts));
    }
    server.errorHandler(new ErrorHandler());
    server.decorator(
        (delegate, context, request) ->
            switch (parts.hosts().judge(request.authority())) {
              case KNOWN -> delegate.serve(context, request);
              case UNKNOWN -> misdirected(request.authority());
              case MALFORMED ->
                  Problem.of(HttpStatus.BAD_REQUEST, "The Host header is missing or malformed.")
                      .response()
                      .toHttpResponse();
            });
  }

  private static HttpResponse misdirected(String authority) {
    return Problem.of(
            HttpStatus.MISDIRECTED_REQUEST,
            "This server does not answer for the host "
                + authority
                + ". Call it by localhost or its address, or add the name to its allowed hosts.")
        .response()
        .toHttpResponse();
  }
}
