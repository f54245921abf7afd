package dev.belay.server.api;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.server.auth.CallerIdentity;
import dev.belay.store.read.Page;
import dev.belay.workflow.Durations;
import dev.belay.workflow.Suggestion;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One request as its handler sees it: typed parameters, or a refusal. */
final class Call implements AutoCloseable {

  private static final int LIMIT_DEFAULT = 50;
  private static final int TEXT_CHARS_MAX = 255;

  /** Well below the time limit of a request. */
  private static final Duration ROOM_WAIT = Duration.ofSeconds(10);

  private final ServiceRequestContext context;
  private final HttpRequest request;
  private final CallerIdentity caller;
  private final byte[] body;
  private final Budget work;
  private final List<Budget.Lease> held = new ArrayList<>();

  /**
   * @param body the whole body; empty without one
   * @param work memory for the objects that the handler creates
   */
  Call(
      ServiceRequestContext context,
      HttpRequest request,
      CallerIdentity caller,
      byte[] body,
      Budget work) {
    this.context = context;
    this.request = request;
    this.caller = caller;
    this.body = body;
    this.work = work;
  }

  /**
   * Waits for room for work of this size and keeps it until the call closes.
   *
   * @param bytes an estimate that includes all copies
   */
  void needs(long bytes) {
    try {
      held.add(
          work.laneFor(bytes)
              .take(bytes, ROOM_WAIT)
              .orElseThrow(
                  () ->
                      new Refused(
                          Problem.busy(
                              "Too many large requests at once; try again in a moment."))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(Problem.busy("The server is stopping; try again in a moment."));
    }
  }

  /** A small file can have a large spec, in which aliases and defaults are written out. */
  void needsForSpec(long chars) {
    if (chars > body.length) {
      needs(Memory.COPIES * (chars - body.length));
    }
  }

  @Override
  public void close() {
    held.forEach(Budget.Lease::close);
  }

  String actor() {
    return caller.name();
  }

  /** The caller closed the connection or timed out: nobody reads the answer. */
  boolean isGone() {
    return context.whenRequestCancelling().isDone();
  }

  /** Gives the answer this much more time. */
  void allow(Duration time) {
    context.setRequestTimeout(com.linecorp.armeria.common.util.TimeoutMode.EXTEND, time);
  }

  /** For streams, which have other limits. */
  void allowAnyTime() {
    context.clearRequestTimeout();
  }

  /** The whole body. */
  byte[] body(List<MediaType> accepted) {
    var type = request.contentType();
    if (type != null && accepted.stream().noneMatch(wanted -> type.is(wanted))) {
      throw new Refused(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE,
          "The body is "
              + type.nameWithoutParameters()
              + "; send it as Content-Type: "
              + accepted.getFirst());
    }
    var encoding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new Refused(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE,
          "The body is encoded as " + encoding + "; send it plain.");
    }
    return body;
  }

  /** The raw body, whatever its type. */
  byte[] bytes() {
    return body;
  }

  byte[] jsonBody() {
    return body(List.of(MediaType.JSON));
  }

  String path(String name) {
    var value = context.pathParam(name);
    if (value == null) {
      throw new IllegalStateException("the route has no {" + name + "}");
    }
    return value;
  }

  /** An id in the path; text that is not an id names nothing. */
  UUID id(String what) {
    var text = path("id");
    var id = uuid(text);
    if (id == null) {
      throw new Refused(
          HttpStatus.NOT_FOUND,
          "There is no "
              + what
              + " "
              + quoted(text)
              + ": an id is a UUID like"
              + " 019a8f3e-7c00-7000-8000-000000000000.");
    }
    return id;
  }

  /** Refuses parameters that nothing would read: a typing error must not widen a filter. */
  void takes(Set<String> known) {
    for (var name : context.queryParams().names()) {
      if (!known.contains(name)) {
        throw new Refused(
            HttpStatus.BAD_REQUEST,
            "The parameter " + quoted(name) + " is unknown here; " + instead(name, known));
      }
    }
  }

  private static String instead(String name, Set<String> known) {
    return Suggestion.nearest(name, known)
        .map(nearest -> "did you mean " + nearest + "?")
        .orElse(
            known.isEmpty()
                ? "this call takes none."
                : "this call takes " + String.join(", ", new TreeSet<>(known)) + ".");
  }

  String tenant() {
    var tenant = text("tenant");
    return tenant == null ? WorkflowSpec.DEFAULT_TENANT : tenant;
  }

  @Nullable String text(String name) {
    var value = context.queryParam(name);
    if (value != null && (value.length() > TEXT_CHARS_MAX || value.indexOf('\0') >= 0)) {
      throw bad(name, value, "at most " + TEXT_CHARS_MAX + " characters, without NUL");
    }
    return value;
  }

  @Nullable UUID idOrNull(String name) {
    var value = text(name);
    var id = value == null ? null : uuid(value);
    if (value != null && id == null) {
      throw bad(name, value, "a UUID");
    }
    return id;
  }

  /** PostgreSQL's times are bounded. */
  static final Instant TIME_MIN = Instant.parse("0000-12-31T23:59:59Z");

  static final Instant TIME_MAX = Instant.parse("+10000-01-01T00:00:00Z");

  @Nullable Instant timeOrNull(String name) {
    var value = text(name);
    try {
      var time = value == null ? null : Instant.parse(value);
      if (time == null || (time.isAfter(TIME_MIN) && time.isBefore(TIME_MAX))) {
        return time;
      }
      throw bad(name, value, "a time from the year 1 to the year 9999");
    } catch (DateTimeException e) {
      throw bad(name, value, "a time like 2026-01-31T12:00:00Z");
    }
  }

  @Nullable Long numberOrNull(String name, long min, long max) {
    var value = text(name);
    if (value == null) {
      return null;
    }
    try {
      var number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of range.
    }
    throw bad(name, value, "a number from " + min + " to " + max);
  }

  boolean flag(String name) {
    var value = text(name);
    return switch (value == null ? "false" : value) {
      case "true", "" -> true;
      case "false" -> false;
      default -> throw bad(name, value, "true or false");
    };
  }

  /** The wait that the caller asks for, at most {@code max}. */
  Duration wait(Duration max) {
    var value = text("wait");
    if (value == null) {
      return Duration.ZERO;
    }
    var wanted =
        Durations.parse(value).orElseThrow(() -> bad("wait", value, "a duration like 30s"));
    return wanted.compareTo(max) < 0 ? wanted : max;
  }

  /** A positive duration of at most {@code max}. */
  Duration duration(String name, Duration byDefault, Duration max) {
    var value = text(name);
    if (value == null) {
      return byDefault;
    }
    return Durations.parse(value)
        .filter(wanted -> wanted.isPositive() && wanted.compareTo(max) <= 0)
        .orElseThrow(
            () ->
                bad(
                    name,
                    value,
                    "a duration like "
                        + Durations.format(byDefault)
                        + ", at most "
                        + Durations.format(max)));
  }

  /** A repeatable parameter; each value is a word or a comma-separated list of words. */
  <E extends Enum<E>> Set<E> words(String name, Class<E> type) {
    var found = EnumSet.noneOf(type);
    for (var value : context.queryParams(name)) {
      for (var word : value.split(",", -1)) {
        found.add(word(name, word, type));
      }
    }
    return found;
  }

  Page.Window window(int pageMax) {
    return window(pageMax, Math.min(LIMIT_DEFAULT, pageMax));
  }

  Page.Window window(int pageMax, int limitDefault) {
    return new Page.Window(idOrNull("cursor"), limit(pageMax, limitDefault));
  }

  /** The requested number of list items. */
  int limit(int pageMax) {
    return limit(pageMax, Math.min(LIMIT_DEFAULT, pageMax));
  }

  int limit(int pageMax, int limitDefault) {
    var limit = numberOrNull("limit", 1, pageMax);
    return limit == null ? limitDefault : Math.toIntExact(limit);
  }

  /** The position at which a list of numbered items continues. */
  @Nullable Long numberedCursor() {
    return numberOrNull("cursor", 1, Long.MAX_VALUE);
  }

  @Nullable String header(CharSequence name) {
    return request.headers().get(name);
  }

  private static <E extends Enum<E>> E word(String name, String word, Class<E> type) {
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(word)) {
        return constant;
      }
    }
    throw bad(
        name,
        word,
        "one of "
            + Arrays.stream(type.getEnumConstants())
                .map(Enum::name)
                .collect(Collectors.joining(", ")));
  }

  private static @Nullable UUID uuid(String text) {
    try {
      var id = UUID.fromString(text);
      // Java also accepts short forms like 1-1-1-1-1, which are surely mistakes.
      return id.toString().equalsIgnoreCase(text) ? id : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static Refused bad(String name, @Nullable String value, String expected) {
    return new Refused(
        HttpStatus.BAD_REQUEST,
        "The parameter "
            + name
            + " is "
            + quoted(value == null ? "" : value)
            + "; it must be "
            + expected
            + ".");
  }

  private static String quoted(String text) {
    var shown = text.length() <= 100 ? text : text.substring(0, 100) + "...";
    return "'" + shown.replaceAll("\\p{Cntrl}", "?") + "'";
  }
}
