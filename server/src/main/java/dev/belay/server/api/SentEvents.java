package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.store.trigger.NewEvent;
import dev.belay.store.trigger.NewEvent.Source;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that sends events: one event, or {@code events} with many.
 *
 * @param events in the given order
 */
record SentEvents(List<NewEvent> events, boolean isBulk) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,99}");
  private static final String NAMES =
      "must be a name of 1 to 100 characters a-z, 0-9, '_' and '-' that starts with a letter or"
          + " digit";
  static final int KEY_CHARS_MAX = 255;
  private static final String EVENTS = "events";

  /** Reads and checks the body; only for a thread that may compute. */
  static SentEvents of(byte[] bytes, int eventsMax, long dataMax) {
    var problems = new Problems("");
    var body = JsonText.body(bytes, problems);
    var isBulk = body.entries().stream().anyMatch(entry -> entry.name().equals(EVENTS));
    var nodes = isBulk ? bulk(body, eventsMax, problems) : List.<Node>of(body);
    var events = new ArrayList<NewEvent>(nodes.size());
    for (int i = 0; i < nodes.size() && !problems.isFull(); i++) {
      if (nodes.get(i) instanceof Node.Mapping event) {
        events.add(new Reading(event, problems, dataMax).read());
      } else {
        problems.add(nodes.get(i).at(), "must be an object");
      }
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The event is not valid; nothing was stored.");
    }
    return new SentEvents(events, isBulk);
  }

  private static List<Node> bulk(Node.Mapping body, int eventsMax, Problems problems) {
    List<Node> events = List.of();
    for (var entry : body.entries()) {
      if (!entry.name().equals(EVENTS)) {
        problems.add(entry.at(), "does not belong beside events; put it into each event");
      } else if (entry.value() instanceof Node.Sequence(_, var items)
          && !items.isEmpty()
          && items.size() <= eventsMax) {
        events = items;
      } else {
        problems.add(entry.at(), "must be a list of 1 to " + eventsMax + " events");
      }
    }
    return events;
  }

  /** The data of a webhook: its whole body. */
  static String data(byte[] bytes, long dataMax) {
    var problems = new Problems("");
    var body = JsonText.body(bytes, problems);
    checkNumbers(body, problems);
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The body is not valid; nothing was stored.");
    }
    var data = JsonText.text(body.value());
    if (isTooLong(data, body.value(), dataMax)) {
      throw new Refused(HttpStatus.REQUEST_ENTITY_TOO_LARGE, tooLong(dataMax));
    }
    return data;
  }

  /** Beyond these, a number would be stored as the text Infinity. */
  private static void checkNumbers(Node node, Problems problems) {
    switch (node) {
      case Node.Mapping fields ->
          fields.entries().forEach(entry -> checkNumbers(entry.value(), problems));
      case Node.Sequence(_, var items) -> items.forEach(item -> checkNumbers(item, problems));
      case Node.Scalar scalar -> {
        if (scalar.value() instanceof Double number && number.isInfinite()) {
          problems.add(
              scalar.at(), "must be a number between -1.79e308 and 1.79e308; send it as a text");
        }
      }
    }
  }

  /** By the form in which PostgreSQL keeps the data and the leader reads it. */
  private static boolean isTooLong(String text, Object value, long dataMax) {
    return text.length() > dataMax || text.length() + moreDigits(value) > dataMax;
  }

  /** PostgreSQL writes 1e308 as 309 digits. */
  private static long moreDigits(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> map.values().stream().mapToLong(SentEvents::moreDigits).sum();
      case List<?> list -> list.stream().mapToLong(SentEvents::moreDigits).sum();
      case Double number when !number.isInfinite() -> {
        var written = number.toString();
        yield new BigDecimal(written).toPlainString().length() - (long) written.length();
      }
      case null, default -> 0;
    };
  }

  private static String tooLong(long dataMax) {
    return "the data is longer than "
        + dataMax
        + " characters, where 1e3 counts as 1000 (the setting event-data-max)";
  }

  /** One event. */
  private static final class Reading {
    private final Node.Mapping event;
    private final Problems problems;
    private final long dataMax;
    private String name = "";
    private String tenant = WorkflowSpec.DEFAULT_TENANT;
    private @Nullable String key;
    private String data = "{}";
    private @Nullable UUID run;

    Reading(Node.Mapping event, Problems problems, long dataMax) {
      this.event = event;
      this.problems = problems;
      this.dataMax = dataMax;
    }

    NewEvent read() {
      event.entries().forEach(this::take);
      if (event.entries().stream().noneMatch(entry -> entry.name().equals("name"))) {
        var at =
            event.at() instanceof FieldPath path ? new FieldPath(path, "name", 0, 0) : event.at();
        problems.add(at, "is missing; " + NAMES);
      }
      return new NewEvent(tenant, name, key, data, Source.API, run);
    }

    private void take(Node.Entry entry) {
      var value = entry.value().value();
      switch (entry.name()) {
        case "name" -> name = named(entry);
        case "tenant" -> tenant = named(entry);
        case "key" -> key = key(entry);
        case "data" -> data = data(entry);
        case "run_id" -> run = value == null ? null : run(entry);
        default ->
            problems.add(
                entry.at(), "unknown field; an event has name, key, data, tenant and run_id");
      }
    }

    private String named(Node.Entry entry) {
      if (entry.value().value() instanceof String text && NAME.matcher(text).matches()) {
        return text;
      }
      problems.add(entry.at(), NAMES);
      return "";
    }

    private @Nullable String key(Node.Entry entry) {
      var value = entry.value().value();
      if (value == null || (value instanceof String text && isKey(text))) {
        return (String) value;
      }
      problems.add(entry.at(), "must be a text of 1 to " + KEY_CHARS_MAX + " printable characters");
      return null;
    }

    private String data(Node.Entry entry) {
      if (!(entry.value() instanceof Node.Mapping fields)) {
        problems.add(entry.at(), "must be an object");
        return "{}";
      }
      checkNumbers(fields, problems);
      var text = JsonText.text(fields.value());
      if (isTooLong(text, fields.value(), dataMax)) {
        problems.add(entry.at(), tooLong(dataMax));
      }
      return text;
    }

    private @Nullable UUID run(Node.Entry entry) {
      try {
        return UUID.fromString(String.valueOf(entry.value().value()));
      } catch (IllegalArgumentException notAnId) {
        problems.add(entry.at(), "must be the id of the run that sends the event");
        return null;
      }
    }
  }

  static boolean isKey(String key) {
    return !key.isEmpty()
        && key.length() <= KEY_CHARS_MAX
        && key.chars().allMatch(c -> c >= ' ' && c <= '~');
  }
}
