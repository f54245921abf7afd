package dev.belay.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.server.auth.Permission;
import dev.belay.server.auth.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Answers one route: checks the caller first, then lets the handler work off the event loop. */
final class RouteService implements HttpService {

  /** Requests with a body that are in memory at once. */
  private static final int BODIES_MAX = 16;

  private static final long BODY_WAIT_SECONDS = 10;

  private final Route route;
  private final Route.Handlers handlers;
  private final RestDependencies parts;
  private final Semaphore bodies;

  RouteService(Route route, Route.Handlers handlers, RestDependencies parts) {
    this.route = route;
    this.handlers = handlers;
    this.parts = parts;
    this.bodies = new Semaphore(BODIES_MAX);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    var refusal = refusal(request);
    if (refusal.isPresent()) {
      return refusal.get().response().toHttpResponse();
    }
    var call = new Call(context, request, principal(request).orElse(Principal.ANYBODY));
    return HttpResponse.of(
        CompletableFuture.supplyAsync(() -> answer(context, call), parts.host().blocking()));
  }

  private Optional<Problem> refusal(HttpRequest request) {
    if (route.permission() == Permission.PUBLIC) {
      return Optional.empty();
    }
    return principal(request)
        .map(
            principal ->
                principal.may(route.permission())
                    ? Optional.<Problem>empty()
                    : Optional.of(
                        Problem.of(
                            HttpStatus.FORBIDDEN,
                            "This token may not "
                                + route.permission()
                                + "; use the token of the API.")))
        .orElseGet(
            () ->
                Optional.of(
                    Problem.of(
                            HttpStatus.UNAUTHORIZED,
                            "This call needs the header Authorization: Bearer TOKEN, with the token"
                                + " from the server's token file.")
                        .with("www-authenticate", "Bearer realm=\"belay\"")));
  }

  private Optional<Principal> principal(HttpRequest request) {
    return parts.tokens().principal(request.headers().get(HttpHeaderNames.AUTHORIZATION));
  }

  private HttpResponse answer(ServiceRequestContext context, Call call) {
    try {
      // At once: a request that waits for a connection holds its body in memory meanwhile.
      if (route.needsDatabase() && !parts.host().ready().getAsBoolean()) {
        throw new Refused(ErrorHandler.unreachable());
      }
      return route.method() == HttpMethod.POST ? withBody(call) : route.handle(handlers, call);
    } catch (RuntimeException e) {
      return ErrorHandler.problem(context, e).response().toHttpResponse();
    }
  }

  private HttpResponse withBody(Call call) {
    try {
      if (!bodies.tryAcquire(BODY_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new Refused(Problem.busy("Too many submits at once; try again in a moment."));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(Problem.busy("The server is stopping; try again in a moment."));
    }
    try {
      return route.handle(handlers, call);
    } finally {
      bodies.release();
    }
  }
}
