package dev.belay.server.api;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseCompleteException;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.server.HttpResponseException;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.server.http.BadHead;
import dev.belay.store.CommitClaim;
import dev.belay.store.Retry;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jdbi.v3.core.ConnectionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns every failure into a problem, even one that never reaches a handler. */
final class ErrorHandler implements ServerErrorHandler {

  private static final Logger log = LoggerFactory.getLogger(ErrorHandler.class);
  private static final String QUERY_CANCELLED = "57014";

  /** PostgreSQL ended a transaction in which this server said nothing for too long. */
  private static final String IDLE_IN_TRANSACTION = "25P03";

  @Override
  public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    if (cause instanceof HttpResponseException answer) {
      return answer.httpResponse();
    }
    return problem(context, cause).response().toHttpResponse();
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return ofStatus(
            status,
            headers == null ? "" : headers.path(),
            headers == null ? "" : headers.method().name())
        .response();
  }

  @Override
  public AggregatedHttpResponse onProtocolViolation(
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return cause instanceof BadHead head
        ? Problem.of(HttpStatus.valueOf(head.status()), String.valueOf(head.getMessage()))
            .ofType("bad-head")
            .response()
        : renderStatus(null, config, headers, status, description, cause);
  }

  /**
   * The caller's view of a failure. Our own faults are logged, and the caller gets no internals.
   */
  static Problem problem(ServiceRequestContext context, Throwable failure) {
    var cause =
        failure instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : failure;
    return switch (cause) {
      case Refused refused -> refused.problem();
      case ContentTooLargeException _ ->
          ofStatus(HttpStatus.REQUEST_ENTITY_TOO_LARGE, context.path(), context.method().name());
      case HttpStatusException status ->
          ofStatus(status.httpStatus(), context.path(), context.method().name());
      case RequestTimeoutException _ -> outOfTime(context);
      case CommitClaim.TooLate _ -> outOfTime(context);
      case ResponseCompleteException _ -> gone();
      case AbortedStreamException _ -> gone();
      case ClosedSessionException _ -> gone();
      // Only the caller's network fails like this; our own failures are unchecked.
      case IOException _ -> gone();
      // A worker's stream is over; the code that ended it has logged why.
      case StatusRuntimeException _ -> gone();
      case ConnectionException _ -> unreachable();
      default -> {
        var away = databaseAway(cause);
        if (away != null) {
          log.atWarn()
              .addKeyValue("path", context.config().route().patternString())
              .addKeyValue("cause", cause.toString())
              .log("request failed on the database");
          yield away;
        }
        log.atError().addKeyValue("path", context.path()).setCause(cause).log("request failed");
        yield Problem.of(
            HttpStatus.INTERNAL_SERVER_ERROR,
            "The server failed on this request; its log says why. Request "
                + context.id().text()
                + ".");
      }
    };
  }

  /** Ensures that the request stores nothing, unless its commit is already in flight. */
  private static Problem outOfTime(ServiceRequestContext context) {
    var claim = context.attr(RouteService.CLAIM);
    return claim != null && claim.answer() == CommitClaim.Answer.UNKNOWN
        ? Problem.unknown()
        : Problem.busy(
            "The server did not answer in time, and nothing was stored; try again in a moment.");
  }

  /** Nobody reads this: the caller hung up, or was answered before its whole body arrived. */
  private static Problem gone() {
    return Problem.of(HttpStatus.BAD_REQUEST, "The request ended before all of it was read.");
  }

  static Problem unreachable() {
    return Problem.busy("The database cannot be reached now; try again in a moment.");
  }

  private static @Nullable Problem databaseAway(Throwable failure) {
    if (Retry.isAway(failure)) {
      return unreachable();
    }
    var state = Retry.stateOf(failure);
    if (state == null) {
      return null;
    }
    if (state.equals(QUERY_CANCELLED)) {
      return Problem.busy("The database took too long; ask for less, for instance with a filter.");
    }
    if (state.equals(IDLE_IN_TRANSACTION)) {
      return Problem.busy(
          "The server was too busy to finish in time, and nothing was stored; try again in a"
              + " moment.");
    }
    // Insufficient resources.
    return state.startsWith("53") ? unreachable() : null;
  }

  private static Problem ofStatus(HttpStatus status, String path, String method) {
    var plain = path.indexOf('?') < 0 ? path : path.substring(0, path.indexOf('?'));
    return switch (status.code()) {
      case 404 ->
          Problem.of(status, "There is nothing at " + plain + "; docs/api.md lists what there is.")
              .ofType("unknown-path");
      case 405 -> {
        var allowed =
            Route.methodsOf(plain).stream().map(HttpMethod::name).collect(Collectors.joining(", "));
        yield Problem.of(status, plain + " does not know " + method + ", only " + allowed + ".")
            .ofType("unknown-method")
            .with("allow", allowed);
      }
      case 414 -> Problem.of(status, "The path is longer than this server takes.");
      case 431 ->
          Problem.of(status, "The headers are larger than this server takes; send fewer of them.");
      case 413 ->
          Problem.of(status, "The body is larger than this server takes; send less at a time.");
      case 503 -> Problem.busy("The server cannot answer now; try again in a moment.");
      default -> Problem.of(status, "The request failed: " + status.reasonPhrase() + ".");
    };
  }
}
