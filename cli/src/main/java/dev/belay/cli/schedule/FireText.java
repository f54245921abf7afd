package dev.belay.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.cli.client.Json;
import dev.belay.cli.terminal.Style;
import dev.belay.cli.terminal.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Triggers and instants in plain words. */
public final class FireText {

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter LOCAL_WITH_PARTS =
      DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);
  private static final String CALENDAR = "calendar: ";
  private static final String PARAMS = "params: ";

  private FireText() {}

  /** Its kind and expression, as the file has them. */
  public static String when(JsonNode trigger) {
    String zone = text(trigger, "timezone");
    boolean shown =
        !zone.isEmpty() && !zone.equals("UTC") && !text(trigger, "kind").equals("every");
    return text(trigger, "kind") + " " + expression(trigger, zone) + (shown ? " " + zone : "");
  }

  private static String expression(JsonNode trigger, String zone) {
    var at = text(trigger, "kind").equals("at") ? Json.time(trigger, "expression") : null;
    return at == null
        ? text(trigger, "expression")
        : DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(at.atZone(zone(zone)));
  }

  /** In the trigger's zone, with the offset to UTC. */
  public static String local(Instant at, String zone) {
    ZonedDateTime local = at.atZone(zone(zone));
    var format = local.getNano() == 0 ? LOCAL : LOCAL_WITH_PARTS;
    String offset = local.getOffset().equals(ZoneOffset.UTC) ? "Z" : local.getOffset().getId();
    return format.format(local) + " " + offset;
  }

  /** A zone that this JDK does not know is shown in UTC. */
  private static ZoneId zone(String name) {
    try {
      return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
    } catch (DateTimeException unknown) {
      return ZoneOffset.UTC;
    }
  }

  public static String late(JsonNode fire) {
    return Times.exact(Duration.ofMillis(fire.path("late_ms").asLong()));
  }

  /** Who paused the trigger or its workflow, as the server's field says; empty when it is not. */
  public static String pause(JsonNode trigger) {
    if (trigger.path("paused").asBoolean()) {
      return "trigger_paused";
    }
    return trigger.path("workflow_paused").asBoolean() ? "paused" : "";
  }

  /**
   * Why an instant did not fire.
   *
   * @param zone of the trigger
   */
  static String past(JsonNode fire, String zone) {
    String reason = text(fire, "reason");
    var into = Json.time(fire, "into_at");
    return switch (text(fire, "outcome")) {
      case "fired" ->
          "run " + text(fire, "run_id") + (reason.equals("resumed") ? ", after a resume" : "");
      case "coalesced" ->
          "missed; " + (into == null ? "a later one" : local(into, zone)) + " fired for it";
      case "skipped" -> skipped(reason);
      default -> reason;
    };
  }

  private static String skipped(String reason) {
    return switch (reason) {
      case "paused" -> "the workflow was paused";
      case "trigger_paused" -> "the trigger was paused";
      case "missed" -> "missed, and `missed` of the trigger leaves it out";
      case "overlap" -> "max_active was reached (overlap)";
      case "workflow_deleted" -> "the workflow was deleted";
      default -> common(reason);
    };
  }

  /** Why a future instant will not fire as things are; empty when it will. */
  static String next(JsonNode instant) {
    String reason = text(instant, "reason");
    return switch (reason) {
      case "" -> "";
      case "paused" -> "the workflow is paused";
      case "trigger_paused" -> "the trigger is paused";
      default -> common(reason);
    };
  }

  private static String common(String reason) {
    if (reason.startsWith(CALENDAR)) {
      return "excluded by the calendar " + reason.substring(CALENDAR.length());
    }
    return reason.startsWith(PARAMS)
        ? "its parameters do not fit: " + reason.substring(PARAMS.length())
        : reason;
  }

  static String text(JsonNode node, String field) {
    return Style.clean(Json.text(node, field));
  }
}
