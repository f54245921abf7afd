package dev.belay.fuzz.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.fuzz.request.Answer;
import dev.belay.fuzz.request.Request;
import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Worker;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules for answers. */
final class AnswerCheck {

  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> FIELDS = List.of("type", "title", "status", "detail", "errors");

  /** gRPC statuses that mean "the server broke": UNKNOWN, INTERNAL, DATA_LOSS. */
  private static final Set<Integer> BROKEN = Set.of(2, 13, 15);

  private static final int BAD = 400;
  private static final int SERVER_FAULT = 500;
  private static final int UNAVAILABLE = 503;
  private static final int VERSION = 505;

  private AnswerCheck() {}

  static Optional<Finding> judge(Request request, Answer answer) {
    return switch (request.content()) {
      case Http http -> http(request, http, answer);
      case Worker worker -> worker(request, worker, answer);
    };
  }

  private static Optional<Finding> http(Request request, Http http, Answer answer) {
    return switch (answer.outcome()) {
      case SILENT -> found("hang", request, "no whole answer within 10 s");
      case CLOSED, RESET ->
          http.wellFormed()
              ? found(
                  "reset", request, "the connection ended without an answer: " + answer.detail())
              : Optional.empty();
      case LEFT, CALL_ENDED -> Optional.empty();
      case ANSWERED -> answered(request, answer);
    };
  }

  private static Optional<Finding> answered(Request request, Answer answer) {
    boolean health = request.route().equals("MONITOR_HEALTH") || request.route().equals("READY");
    boolean busy =
        answer.status() == UNAVAILABLE && (health || answer.headers().containsKey("retry-after"));
    // An unknown HTTP version is the client's fault, though its status is a 5xx.
    boolean version = answer.status() == VERSION && !isWellFormed(request);
    if (answer.status() >= SERVER_FAULT && !busy && !version) {
      return found("5xx", request, "answered " + answer.status() + ": " + shortened(answer.text()));
    }
    if (answer.status() < BAD || health || isShapeless(request)) {
      return Optional.empty();
    }
    String fault = shapeFault(answer);
    return fault.isEmpty() ? Optional.empty() : found("shape", request, fault);
  }

  private static boolean isWellFormed(Request request) {
    return request.content() instanceof Http http && http.wellFormed();
  }

  /** No body, or an answer after which another protocol begins. */
  private static boolean isShapeless(Request request) {
    return request.content() instanceof Http http
        && (http.isHead() || http.trouble() == Request.Trouble.OTHER_PROTOCOL);
  }

  /** Why an error is not valid problem+json; empty when it is. */
  private static String shapeFault(Answer answer) {
    String type = answer.headers().getOrDefault("content-type", "none");
    if (!type.startsWith("application/problem+json")) {
      return "a "
          + answer.status()
          + " is "
          + type
          + ", not problem+json: "
          + shortened(answer.text());
    }
    try {
      JsonNode problem = JSON.readTree(answer.body());
      for (String field : FIELDS) {
        if (!problem.has(field)) {
          return "a " + answer.status() + " has no " + field + ": " + shortened(answer.text());
        }
      }
      return problem.path("status").asInt() == answer.status()
          ? ""
          : "a " + answer.status() + " calls itself " + problem.path("status");
    } catch (JsonProcessingException e) {
      return "a " + answer.status() + " is no JSON: " + shortened(answer.text());
    } catch (java.io.IOException e) {
      return "a " + answer.status() + " cannot be read: " + e;
    }
  }

  private static Optional<Finding> worker(Request request, Worker worker, Answer answer) {
    return switch (answer.outcome()) {
      case SILENT -> found("hang", request, answer.detail());
      case RESET, CLOSED ->
          worker.decodable()
              ? found("reset", request, "the call ended without a status: " + answer.detail())
              : Optional.empty();
      case LEFT -> Optional.empty();
      case ANSWERED ->
          answer.status() >= SERVER_FAULT
              ? found("5xx", request, "the call was answered " + answer.status())
              : Optional.empty();
      case CALL_ENDED ->
          worker.decodable() && BROKEN.contains(answer.status())
              ? found("grpc", request, "the call ended " + answer.status() + " " + answer.detail())
              : Optional.empty();
    };
  }

  private static Optional<Finding> found(String rule, Request request, String message) {
    return Optional.of(Finding.of(rule, request, message));
  }

  private static String shortened(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() <= 200 ? line : line.substring(0, 200) + "...";
  }
}
