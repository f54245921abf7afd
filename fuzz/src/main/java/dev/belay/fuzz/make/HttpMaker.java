package dev.belay.fuzz.make;

import dev.belay.fuzz.request.Request.Http;
import dev.belay.fuzz.request.Request.Trouble;
import dev.belay.fuzz.request.Things;
import dev.belay.server.api.Routes;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;

/** Makes requests to the routes of the API: valid, nearly valid, and hostile. */
final class HttpMaker {

  private static final List<String> PARAMETERS =
      List.of(
          "limit",
          "cursor",
          "state",
          "tenant",
          "name",
          "pool",
          "worker",
          "run",
          "changed_after",
          "attempt",
          "offset",
          "tail",
          "version",
          "file",
          "window",
          "workflow",
          "wait",
          "follow",
          "nope");

  private static final List<String> VALUES =
      List.of(
          "1",
          "500",
          "501",
          "0",
          "default",
          "SUCCEEDED",
          "queued,RUNNING",
          "true",
          "false",
          "hello",
          "2026-01-31T12:00:00Z",
          "7d",
          "1h",
          "3",
          "x.yaml");

  private final Address address;
  private final Things things;

  /**
   * @param host for the Host header
   */
  record Address(String host, String token, String joinToken) {}

  /** A request before encoding, with the kind of its deliberate fault, if any. */
  record Made(HttpText text, boolean streams, String kind) {}

  HttpMaker(Address address, Things things) {
    this.address = address;
    this.things = things;
  }

  /** Like a client's request; the server may still refuse it. */
  Made valid(Routes.Served route, Dice dice) {
    var text = new HttpText(route.method(), path(route.path(), dice, true));
    text.header("Host", address.host());
    text.header("Authorization", "Bearer " + address.token());
    boolean streams = false;
    if (hasBody(route)) {
      validBody(route, dice, text);
    } else if (route.name().startsWith("LIST_FINISHED_")) {
      text.target += "?before=2026-01-31T12:00:00Z";
    } else if (dice.oneIn(3)) {
      String name = dice.oneOf("limit", "state", "tenant", "workflow", "window", "tail", "version");
      text.target += "?" + name + "=" + validValue(name, dice);
    } else if (dice.oneIn(10)) {
      text.target += "?wait=" + dice.oneOf("0s", "50ms", "200ms");
    }
    return new Made(text, streams, "valid");
  }

  private static boolean hasBody(Routes.Served route) {
    return route.method().equals("POST") || route.method().equals("PUT");
  }

  private static String validValue(String name, Dice dice) {
    return switch (name) {
      case "limit", "tail" -> Integer.toString(dice.between(1, 100));
      case "state" -> "succeeded";
      case "window" -> "1d";
      case "version" -> "1";
      default -> "default";
    };
  }

  private static void validBody(Routes.Served route, Dice dice, HttpText text) {
    switch (route.name()) {
      case "SUBMIT_TASKS" -> {
        text.header("Content-Type", "application/json");
        text.body = dice.oneIn(2) ? JsonMaker.validTask(dice) : JsonMaker.validTasks(dice);
        if (dice.oneIn(8)) {
          text.header("Idempotency-Key", "key-" + dice.below(40));
        }
      }
      case "REGISTER_WORKFLOW", "VALIDATE_WORKFLOW" -> {
        text.header("Content-Type", dice.oneOf("application/yaml", "application/json"));
        text.body = YamlMaker.plausible(dice);
      }
      case "TRIGGER_RUN" -> {
        text.header("Content-Type", "application/json");
        text.body = JsonMaker.validTrigger(dice);
      }
      case "MARK_TASK" -> {
        text.header("Content-Type", "application/json");
        text.body =
            "{\"as\": \"%s\", \"note\": \"fuzzed\"}"
                .formatted(dice.oneOf("succeeded", "failed"))
                .getBytes(StandardCharsets.UTF_8);
      }
      case "CLEAR_TASK" -> {
        text.header("Content-Type", "application/json");
        text.body =
            "{\"upstream\": %s, \"downstream\": %s, \"dry_run\": %s}"
                .formatted(dice.oneIn(2), dice.oneIn(2), dice.oneIn(2))
                .getBytes(StandardCharsets.UTF_8);
      }
      case "PRIORITIZE_TASK" -> {
        text.header("Content-Type", "application/json");
        text.body =
            "{\"priority\": %d}".formatted(1 + dice.below(100)).getBytes(StandardCharsets.UTF_8);
      }
      case "NOTE_TASK", "UNBLOCK_TASK", "RETRY_TASK", "SKIP_TASK", "BLOCK_TASK" -> {
        text.header("Content-Type", "application/json");
        text.body = "{\"note\": \"fuzzed\"}".getBytes(StandardCharsets.UTF_8);
      }
      case "TERMINATE_TASK" -> {
        text.header("Content-Type", "application/json");
        text.body =
            "{\"reason\": \"%s\", \"note\": \"fuzzed\"}"
                .formatted(
                    dice.oneOf(
                        "cancelled",
                        "graceful_shutdown",
                        "hard_cap_exceeded",
                        "cost_limit_reached",
                        "deadline_passed"))
                .getBytes(StandardCharsets.UTF_8);
      }
      case "ROLL_BACK_WORKFLOW" -> {
        text.header("Content-Type", "application/json");
        text.body = "{\"version\": 1}".getBytes(StandardCharsets.UTF_8);
      }
      case "APPLY" -> {
        text.header("Content-Type", "application/json");
        text.body = TriggerMaker.set(dice);
      }
      case "START_BACKFILL" -> {
        text.header("Content-Type", "application/json");
        text.body = CauseMaker.validBackfill(dice);
      }
      case "START_BULK" -> {
        text.header("Content-Type", "application/json");
        text.body = CauseMaker.validBulk(dice);
      }
      case "SEND_EVENTS" -> {
        text.header("Content-Type", "application/json");
        text.body = CauseMaker.validEvent(dice);
      }
      case "PUT_POOL", "PUT_TOPIC", "PUT_TENANT", "PURGE_DEAD_LETTERS" -> {
        text.header("Content-Type", "application/json");
        text.body = SystemMaker.valid(route.name(), dice);
      }
      case "RECEIVE_HOOK" -> {
        text.header("Content-Type", "application/json");
        text.body = CauseMaker.hookBody(dice);
      }
      case "REMOVE_FINISHED_RUNS", "REMOVE_FINISHED_TASKS" -> {
        text.header("Content-Type", "application/json");
        text.body = "{\"items\": []}".getBytes(StandardCharsets.UTF_8);
      }
      default -> text.header("Accept", "*/*");
    }
    if (dice.oneIn(6) && text.body.length > 0) {
      text.framing = HttpText.Framing.CHUNKED;
    }
  }

  /** Well-formed HTTP that the server should refuse; it may answer a harmless read. */
  Made hostile(Routes.Served route, Dice dice) {
    var text = new HttpText(route.method(), path(route.path(), dice, dice.oneIn(2)));
    text.header("Host", address.host());
    text.header("Authorization", "Bearer " + address.token());
    if (hasBody(route)) {
      hostileBody(route, dice, text);
    }
    String kind = spoil(route, dice, text);
    boolean streams = text.target.contains("follow");
    return new Made(text, streams, kind);
  }

  private static void hostileBody(Routes.Served route, Dice dice, HttpText text) {
    boolean file = route.name().endsWith("_WORKFLOW");
    text.header("Content-Type", file ? "application/yaml" : "application/json");
    text.body =
        file
            ? YamlMaker.broken(dice)
            : dice.oneIn(2)
                ? badBody(route, dice)
                : JsonMaker.broken(dice, JsonMaker.validTask(dice));
    if (dice.oneIn(6)) {
      text.framing = HttpText.Framing.CHUNKED;
    }
  }

  private static byte[] badBody(Routes.Served route, Dice dice) {
    return switch (route.name()) {
      case "APPLY" -> TriggerMaker.brokenSet(dice);
      case "START_BACKFILL" -> CauseMaker.badBackfill(dice);
      case "START_BULK" -> CauseMaker.badBulk(dice);
      case "SEND_EVENTS" -> CauseMaker.badEvent(dice);
      case "PUT_POOL", "PUT_TOPIC", "PUT_TENANT", "PURGE_DEAD_LETTERS" -> SystemMaker.bad(dice);
      default -> JsonMaker.broken(dice, JsonMaker.validTask(dice));
    };
  }

  private static final Set<String> CHECK_THEIR_BODY =
      Set.of(
          "SUBMIT_TASKS",
          "TRIGGER_RUN",
          "REGISTER_WORKFLOW",
          "START_BACKFILL",
          "START_BULK",
          "PUT_POOL",
          "PUT_TOPIC",
          "PUT_TENANT",
          "PURGE_DEAD_LETTERS",
          "SEND_EVENTS");

  /** A route that obeys any body needs another fault, and a webhook needs no Authorization. */
  private static int wayToSpoil(Routes.Served route, Dice dice) {
    if (route.name().equals("RECEIVE_HOOK")) {
      return dice.between(2, 4);
    }
    boolean obeysAnyBody =
        !route.method().equals("GET") && !CHECK_THEIR_BODY.contains(route.name());
    return dice.below(obeysAnyBody ? 5 : 14);
  }

  /** Makes sure that a route without a body does not simply succeed. */
  private String spoil(Routes.Served route, Dice dice, HttpText text) {
    int way = wayToSpoil(route, dice);
    switch (way) {
      case 0 -> text.without("Authorization");
      case 1 -> {
        text.without("Authorization");
        text.header(
            "Authorization",
            dice.oneOf(
                "Bearer x",
                "Basic " + address.token(),
                "Bearer " + address.joinToken(),
                "Bearer",
                "",
                "bearer  "));
      }
      case 2 -> {
        text.without("Host");
        text.header(
            "Host",
            dice.oneOf(
                "evil.example", "127.0.0.1.evil.example:80", "[::2]", "a b", "x".repeat(300)));
      }
      case 3 ->
          text.method =
              route.method().equals("POST")
                  ? dice.oneOf("PUT", "DELETE", "PATCH")
                  : dice.oneOf("DELETE", "PUT", "POST", "PATCH");
      case 4 ->
          text.target =
              text.target.replaceFirst(
                  "[^/]*$",
                  dice.oneOf("nowhere", "", "%00", "..%2f..", encoded(Texts.hostile(dice))) + "/x");
      case 5 -> {
        text.without("Content-Type");
        text.header(
            "Content-Type",
            dice.oneOf(
                "text/plain",
                "application/xml",
                "",
                "a",
                "application/json; charset=utf-7",
                "multipart/form-data"));
      }
      case 6 -> text.header("Content-Encoding", dice.oneOf("gzip", "br", "deflate", "x"));
      case 7 ->
          text.header("Idempotency-Key", dice.oneOf("", "x".repeat(256), "é", "x".repeat(5_000)));
      case 8 -> text.header("X-Long", "x".repeat(dice.oneOf(100, 5_000, 7_000)));
      default -> query(dice, text);
    }
    return "hostile-" + way;
  }

  private static void query(Dice dice, HttpText text) {
    int count = dice.oneIn(30) ? 300 : dice.between(1, 3);
    var query = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String name = dice.oneOf(PARAMETERS);
      // A valid wait or follow takes long, which is no fault.
      String value =
          dice.oneIn(2) && !name.equals("wait") && !name.equals("follow")
              ? dice.oneOf(VALUES)
              : Texts.hostile(dice);
      query.append(i == 0 ? "?" : "&").append(name).append('=').append(encoded(value));
    }
    text.target += query;
    if (text.target.length() > 3_500) {
      text.target = text.target.substring(0, 3_500).replaceFirst("%[0-9A-F]?$", "");
    }
  }

  /** A thing with two names in its path is known by both, with what stands between them. */
  String path(String template, Dice dice, boolean known) {
    String path =
        known ? template.replaceFirst("\\{.*}", quoted(knownValue(template, dice))) : template;
    while (path.contains("{")) {
      String value =
          dice.oneOf(dice.uuid(), encoded(Texts.hostile(dice)), encoded(Texts.name(dice)));
      path = path.replaceFirst("\\{[a-z]+}", quoted(value));
    }
    return path;
  }

  private static String quoted(String value) {
    return Matcher.quoteReplacement(value);
  }

  private String knownValue(String template, Dice dice) {
    return things.pick(kindIn(template, dice), dice.share()).orElseGet(dice::uuid);
  }

  private static final Set<String> FOR_OPEN_TASKS =
      Set.of("/block", "/cancel", "/priority", "/skip", "/terminate");

  private static Things.Kind kindIn(String template, Dice dice) {
    boolean fitting = !dice.oneIn(4);
    String last = template.substring(template.lastIndexOf('/'));
    if (template.contains("/tasks/")) {
      return fitting ? taskFor(last) : Things.Kind.TASK;
    }
    if (template.contains("/backfills/")) {
      return Things.Kind.BACKFILL;
    }
    if (template.contains("/bulk/")) {
      return Things.Kind.BULK;
    }
    if (template.contains("/events/")) {
      return Things.Kind.EVENT;
    }
    if (template.contains("/hooks/")) {
      return Things.Kind.HOOK;
    }
    if (template.contains("/workers/")) {
      return last.equals("/remove") ? Things.Kind.LEFT_WORKER : Things.Kind.WORKER;
    }
    if (template.contains("/pools/")) {
      return Things.Kind.POOL;
    }
    if (template.contains("/topics/")) {
      return Things.Kind.TOPIC;
    }
    if (template.contains("/tenants/")) {
      return Things.Kind.TENANT;
    }
    if (template.contains("/dead-letters/")) {
      return Things.Kind.DEAD_LETTER;
    }
    if (template.contains("/triggers/")) {
      return Things.Kind.TRIGGER;
    }
    if (template.contains("/workflows/")) {
      return Things.Kind.WORKFLOW;
    }
    return fitting ? runFor(last) : Things.Kind.RUN;
  }

  private static Things.Kind taskFor(String call) {
    return switch (call) {
      case "/unblock" -> Things.Kind.BLOCKED_TASK;
      case "/retry" -> Things.Kind.FAILED_TASK;
      default -> FOR_OPEN_TASKS.contains(call) ? Things.Kind.OPEN_TASK : Things.Kind.TASK;
    };
  }

  private static Things.Kind runFor(String call) {
    return switch (call) {
      case "/retry" -> Things.Kind.FAILED_RUN;
      case "/cancel" -> Things.Kind.OPEN_RUN;
      default -> Things.Kind.RUN;
    };
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static Http http(Made made, boolean wellFormed, Trouble trouble) {
    Trouble real = trouble == Trouble.NONE && made.streams() ? Trouble.STREAM : trouble;
    return new Http(made.text().bytes(), wellFormed, made.text().method.equals("HEAD"), real);
  }
}
