package dev.belay.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import dev.belay.settings.EventGroup;
import dev.belay.settings.RequestGroup;
import java.util.Optional;

/** Installs the REST API on a server. */
public final class RestApi {

  private static final String GRPC_UNAUTHENTICATED = "16";

  /** White space in the body of a webhook is not stored. */
  private static final long HOOK_SPACE = 4;

  private RestApi() {}

  /**
   * Adds the routes, the Host header check (for every service of the server) and the error format.
   */
  public static void install(ServerBuilder server, RestDependencies parts) {
    var waiting =
        new Waiting(
            parts.host().changes(),
            parts.settings().of(RequestGroup.WAITERS_MAX),
            parts.host().ticker());
    install(server, parts, waiting);
  }

  static void install(ServerBuilder server, RestDependencies parts, Waiting waiting) {
    var runs = new RunHandlers(parts, waiting);
    var warnings = new RouteWarnings(parts.store().declared()::known, parts.host().ticker());
    var handlers =
        new Route.Handlers(
            new TaskHandlers(parts, waiting, warnings),
            new SteerHandlers(parts),
            new LogHandlers(parts, waiting),
            new WorkflowHandlers(parts, warnings),
            new ScheduleHandlers(parts),
            new ApplyHandlers(parts),
            new SystemHandlers(parts, warnings),
            runs,
            new BackfillHandlers(parts, runs, waiting),
            new BulkHandlers(parts, waiting),
            new DeadLetterHandlers(parts),
            new EventHandlers(parts),
            new HookHandlers(parts),
            new RecoveryHandlers(parts),
            new ArchiveHandlers(parts),
            new ChangeHandlers(parts, waiting),
            new ServerHandlers(parts));
    var memory =
        Memory.of(parts.settings(), Runtime.getRuntime().maxMemory(), parts.host().metrics());
    for (var route : Route.values()) {
      server
          .route()
          .path(route.path())
          .methods(route.method())
          .maxRequestLength(bodyMax(route, parts))
          .requestTimeout(parts.settings().of(RequestGroup.REQUEST_TIME_MAX))
          .build(new RouteService(route, handlers, parts, memory));
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

  /** A caller without a token may send little. */
  private static long bodyMax(Route route, RestDependencies parts) {
    long bodyMax = parts.settings().of(RequestGroup.BODY_MAX);
    return route == Route.RECEIVE_HOOK
        ? Math.min(bodyMax, HOOK_SPACE * parts.settings().of(EventGroup.EVENT_DATA_MAX))
        : bodyMax;
  }

  /**
   * Refuses an unauthorized caller of the workers' services, in the form of its protocol; empty
   * when the caller is allowed.
   *
   * @param joins whether the caller sent a join token
   */
  public static Optional<HttpResponse> refuseWorker(HttpRequest request, boolean joins) {
    var type = request.contentType();
    if (type == null || !type.subtype().startsWith("grpc")) {
      return Optional.of(
          Problem.of(
                  joins ? HttpStatus.UNSUPPORTED_MEDIA_TYPE : HttpStatus.UNAUTHORIZED,
                  "This path is for workers, which speak gRPC and have a join token; docs/api.md"
                      + " lists the paths for clients.")
              .ofType("workers-only")
              .response()
              .toHttpResponse());
    }
    if (joins) {
      return Optional.empty();
    }
    return Optional.of(
        HttpResponse.of(
            ResponseHeaders.builder(HttpStatus.OK)
                .contentType(type)
                .endOfStream(true)
                .set(HttpHeaderNames.of("grpc-status"), GRPC_UNAUTHENTICATED)
                .set(HttpHeaderNames.of("grpc-message"), "the join token is missing or wrong")
                .build()));
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
