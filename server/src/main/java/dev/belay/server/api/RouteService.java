package dev.belay.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.server.auth.CallPermission;
import dev.belay.server.auth.CallerIdentity;
import dev.belay.settings.RequestGroup;
import dev.belay.store.CommitClaim;
import io.netty.util.AttributeKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Answers one route: checks the caller first, then runs the handler off the event loop. */
final class RouteService implements HttpService {

  /** Decides between the commit of a request and its refusal. */
  static final AttributeKey<CommitClaim> CLAIM = AttributeKey.valueOf(RouteService.class, "claim");

  private static final byte[] NOTHING = new byte[0];
  private static final long PERMIT_WAIT_SECONDS = 10;

  /** A workflow file takes this many times its size in memory. */
  private static final long FILE_COPIES = 16;

  private final Route route;
  private final Route.Handlers handlers;
  private final RestDependencies parts;
  private final Memory memory;
  private final JsonGuard guard;
  private final Answering answering;
  private final Semaphore permits;
  private final BodyReader.Limits uploads;

  RouteService(Route route, Route.Handlers handlers, RestDependencies parts, Memory memory) {
    this.route = route;
    this.handlers = handlers;
    this.parts = parts;
    this.memory = memory;
    this.guard = new JsonGuard(parts.settings());
    this.answering = new Answering(memory.answers(), parts.settings(), parts.host().metrics());
    this.uploads = BodyReader.Limits.of(parts.settings());
    this.permits = new Semaphore(parts.settings().of(RequestGroup.SUBMITS_AT_ONCE));
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    var refusal = refusal(request);
    if (refusal.isPresent()) {
      return refusal.get().response().toHttpResponse();
    }
    var who = caller(request).orElse(CallerIdentity.ANYBODY);
    if (route.isOfHealth()) {
      return health(context, call(context, request, who, NOTHING));
    }
    context.setAttr(CLAIM, new CommitClaim());
    if (route.method() == HttpMethod.GET) {
      return HttpResponse.of(
          CompletableFuture.supplyAsync(
              () -> answer(context, call(context, request, who, NOTHING)),
              parts.host().blocking()));
    }
    // At once: neither body nor thread waits for a database that is down.
    var trouble = databaseTrouble();
    if (trouble.isPresent()) {
      return trouble.get().response().toHttpResponse();
    }
    return HttpResponse.of(
        BodyReader.read(context, request, memory.bodies(), uploads, parts.host().metrics())
            .thenApplyAsync(
                body -> {
                  try (body) {
                    return answer(context, call(context, request, who, body.bytes()));
                  }
                },
                parts.host().blocking()));
  }

  /** Answers on the event loop: health waits for nothing and must not queue behind computation. */
  private HttpResponse health(ServiceRequestContext context, Call call) {
    try (call) {
      return route.handle(handlers, call);
    } catch (RuntimeException e) {
      return ErrorHandler.problem(context, e).response().toHttpResponse();
    }
  }

  private Call call(
      ServiceRequestContext context, HttpRequest request, CallerIdentity who, byte[] body) {
    return new Call(context, request, who, body, memory.work());
  }

  private Optional<Problem> databaseTrouble() {
    return route.needsDatabase()
        ? parts.host().trouble().get().map(Problem::busy)
        : Optional.empty();
  }

  private Optional<Problem> refusal(HttpRequest request) {
    if (route.permission() == CallPermission.PUBLIC) {
      return Optional.empty();
    }
    return caller(request)
        .map(
            caller ->
                caller.may(route.permission())
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

  private Optional<CallerIdentity> caller(HttpRequest request) {
    return parts.tokens().caller(request.headers().get(HttpHeaderNames.AUTHORIZATION));
  }

  private HttpResponse answer(ServiceRequestContext context, Call call) {
    var claim = context.attr(CLAIM);
    try (call) {
      var trouble = databaseTrouble();
      if (trouble.isPresent()) {
        throw new Refused(trouble.get());
      }
      var response = claim.during(() -> handle(call));
      if (route.streams()) {
        return response;
      }
      // Already complete: only streams are not.
      return answering.send(context, response.aggregate().join());
    } catch (RuntimeException e) {
      var problem = claim.isUnknown() ? Problem.unknown() : ErrorHandler.problem(context, e);
      answering.watch(context);
      return problem.response().toHttpResponse();
    }
  }

  /** In one piece: a call that holds a part of the memory must not wait for the rest. */
  private long cost(Call call) {
    var json = route.takesJson() ? costOfJson(call) : 0;
    return route.takesJson() && !route.takesFiles()
        ? json
        : json + call.bytes().length * FILE_COPIES;
  }

  /** Scanning a large body is computation, so it runs in {@link Checking}. */
  private long costOfJson(Call call) {
    var body = call.jsonBody();
    return body.length <= Memory.SMALL_BYTES
        ? guard.cost(body)
        : parts.checking().call(call, body.length, () -> guard.cost(body));
  }

  private HttpResponse handle(Call call) {
    if (route != Route.METRICS) {
      // Prometheus may add parameters of its own.
      call.takes(route.parameters());
    }
    if (route.method() == HttpMethod.GET) {
      return route.handle(handlers, call);
    }
    call.needs(cost(call));
    try {
      if (!permits.tryAcquire(PERMIT_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new Refused(Problem.busy("Too many submits at once; try again in a moment."));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(Problem.busy("The server is stopping; try again in a moment."));
    }
    try {
      return route.handle(handlers, call);
    } finally {
      permits.release();
    }
  }
}
