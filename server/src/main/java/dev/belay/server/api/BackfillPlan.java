package dev.belay.server.api;

import com.linecorp.armeria.common.HttpStatus;
import dev.belay.domain.backfill.BackfillInstants;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Missed;
import dev.belay.domain.schedule.Recurrence;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.workflow.Durations;
import dev.belay.workflow.JsonValues;
import dev.belay.workflow.SpecCodec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a request for a backfill means for its workflow.
 *
 * @param named the trigger is one of the workflow, not an expression of the request
 * @param first the first instant in its order
 * @param params given values over those of the trigger
 */
record BackfillPlan(
    TriggerSpec.Timed trigger,
    boolean named,
    BackfillInstants instants,
    Instant first,
    int total,
    Map<String, Object> params) {

  /** Years that PostgreSQL, JSON and people all write with four digits. */
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  private static final String NOTHING = " Nothing was started.";

  /**
   * @param now the range ends at it or before
   * @param instantsMax more are refused
   * @throws Refused when there is no such range
   */
  static BackfillPlan of(
      WorkflowSpec workflow,
      BackfillBody body,
      Map<String, DayCalendar> calendars,
      Instant now,
      int instantsMax) {
    var asked = body.timing();
    boolean given = asked.cron() != null || asked.every() != null;
    if (given && asked.trigger() != null) {
      throw refused("trigger", "goes without cron and every: these take its place");
    }
    if (asked.zone() != null && asked.cron() == null) {
      throw refused("zone", "goes with cron; a trigger has its own time zone");
    }
    TriggerSpec.Timed trigger = given ? expression(asked) : named(workflow, asked.trigger());
    ZoneId zone = trigger.timing().zone();
    Instant from = time("from", body.from(), zone);
    Instant to = time("to", body.to(), zone);
    if (!from.isBefore(to)) {
      throw refused("to", "must be after from");
    }
    if (to.isAfter(now)) {
      throw refused("to", "must not be after now, " + now + ": a backfill is for the past");
    }
    var instants =
        new BackfillInstants(
            trigger.timing(), calendar(trigger, calendars), from, to, body.forward());
    var count = instants.count(instantsMax);
    if (count.more()) {
      throw refused(
          "to",
          "the range has more than %,d instants; choose a shorter one, or raise the setting backfill-instants-max"
              .formatted(instantsMax));
    }
    Instant first = instants.first().orElse(null);
    if (first == null) {
      throw refused(
          "from",
          "the trigger '" + trigger.name() + "' has no instant from " + from + " until " + to);
    }
    return new BackfillPlan(trigger, !given, instants, first, count.total(), merged(trigger, body));
  }

  private static TriggerSpec.Timed named(WorkflowSpec workflow, @Nullable String name) {
    List<TriggerSpec.Timed> timed =
        workflow.triggers().stream()
            .filter(TriggerSpec.Timed.class::isInstance)
            .map(TriggerSpec.Timed.class::cast)
            .toList();
    String known = timed.isEmpty() ? "none" : String.join(", ", names(timed));
    if (name != null) {
      return timed.stream()
          .filter(trigger -> trigger.name().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  refused(
                      "trigger",
                      "the workflow has no trigger '" + name + "' with times; it has: " + known));
    }
    return switch (timed.size()) {
      case 0 ->
          throw refused(
              "trigger",
              "the workflow has no trigger with times; say which instants with cron or every");
      case 1 -> timed.getFirst();
      default -> throw refused("trigger", "the workflow has several; name one of: " + known);
    };
  }

  private static List<String> names(List<TriggerSpec.Timed> triggers) {
    return triggers.stream().map(TriggerSpec::name).toList();
  }

  private static TriggerSpec.Timed expression(BackfillBody.Timing asked) {
    String cron = asked.cron();
    String every = asked.every();
    if (cron != null && every != null) {
      throw refused("every", "goes without cron: choose one");
    }
    Recurrence recurrence = cron == null ? period(String.valueOf(every)) : parsed(cron);
    ZoneId zone = asked.zone() == null ? ZoneId.of("UTC") : zone(asked.zone());
    var timing = new Timing(recurrence, zone, Dst.DEFAULT, null, null, null, Duration.ZERO);
    String name = cron == null ? "every " + every : "cron " + cron;
    return new TriggerSpec.Timed(name, timing, Missed.DEFAULT, Map.of());
  }

  private static Cron parsed(String cron) {
    try {
      return Cron.parse(cron);
    } catch (Cron.BadCron bad) {
      throw refused("cron", String.valueOf(bad.getMessage()));
    }
  }

  private static Every period(String every) {
    return Durations.parse(every)
        .filter(period -> period.compareTo(Every.PERIOD_MIN) >= 0)
        .map(period -> new Every(period, Every.ANCHOR_DEFAULT))
        .orElseThrow(
            () -> refused("every", "must be a duration such as 1d, 6h or 15m, at least 1s"));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      throw refused("zone", "must be an IANA time zone such as Europe/Berlin or UTC");
    }
  }

  /** A date is its first moment in the zone. */
  private static Instant time(String field, String text, ZoneId zone) {
    List<Function<String, Instant>> forms =
        List.of(
            date -> LocalDate.parse(date).atStartOfDay(zone).toInstant(),
            local -> LocalDateTime.parse(local).atZone(zone).toInstant(),
            offset ->
                OffsetDateTime.parse(offset).withOffsetSameInstant(ZoneOffset.UTC).toInstant());
    for (Function<String, Instant> form : forms) {
      Optional<Instant> time = parsed(form, text);
      if (time.isPresent()) {
        return time.get();
      }
    }
    throw refused(
        field,
        "must be a date such as 2026-01-31, a time such as 2026-01-31T06:00:00 in the zone "
            + zone
            + ", or one with an offset such as 2026-01-31T06:00:00Z");
  }

  private static Optional<Instant> parsed(Function<String, Instant> form, String text) {
    try {
      return Optional.of(form.apply(text)).filter(time -> !time.isBefore(FIRST));
    } catch (DateTimeException otherForm) {
      return Optional.empty();
    }
  }

  private static @Nullable DayCalendar calendar(
      TriggerSpec.Timed trigger, Map<String, DayCalendar> calendars) {
    String name = trigger.timing().calendar();
    if (name == null) {
      return null;
    }
    DayCalendar calendar = calendars.get(name);
    if (calendar == null) {
      throw refused("trigger", "its calendar '" + name + "' is not declared in the system file");
    }
    return calendar;
  }

  private static Map<String, Object> merged(TriggerSpec.Timed trigger, BackfillBody body) {
    Map<String, Object> params = new LinkedHashMap<>(trigger.params());
    body.params()
        .forEach(
            (name, value) -> {
              if (value == null) {
                params.remove(name);
              } else {
                params.put(name, value);
              }
            });
    return params;
  }

  String timingJson() {
    return SpecCodec.triggerToJson(trigger);
  }

  @Nullable String calendarJson() {
    DayCalendar calendar = instants.calendar();
    return calendar == null ? null : SpecCodec.calendarToJson(calendar);
  }

  String paramsJson() {
    return JsonValues.write(params);
  }

  private static Refused refused(String field, String why) {
    return new Refused(
        Problem.of(
                HttpStatus.UNPROCESSABLE_ENTITY,
                "The backfill is not valid: " + field + ": " + why + "." + NOTHING)
            .withErrors(List.of(Problem.fault(field, why))));
  }
}
