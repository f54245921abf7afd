package dev.belay.server.api;

import dev.belay.domain.run.RunState;
import dev.belay.domain.schedule.At;
import dev.belay.domain.schedule.ClockChange;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Preview;
import dev.belay.domain.schedule.Preview.Line;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.RunLimits.ExpectBy;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.store.schedule.Trigger;
import dev.belay.store.schedule.Trigger.Fire;
import dev.belay.workflow.Durations;
import dev.belay.workflow.SpecCodec;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Triggers as the API shows them. It decodes specs and computes instants: only for a thread that
 * may compute.
 */
final class ScheduleView {

  static final String EXPECT_BY = "expect_by";

  private final Map<String, DayCalendar> calendars;

  ScheduleView(Map<String, DayCalendar> calendars) {
    this.calendars = Map.copyOf(calendars);
  }

  /** A trigger with its next and its last instant. */
  Map<String, @Nullable Object> trigger(Trigger trigger) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("tenant", trigger.name().tenant());
    json.put("workflow", trigger.name().workflow());
    json.put("trigger", trigger.name().name());
    Timing timing = describe(trigger, json);
    var span = trigger.span();
    json.put("since", span.from());
    json.put("removed_at", span.until());
    boolean removed = span.until() != null;
    Instant next = removed ? null : span.next();
    json.put("next_at", next);
    json.put("next_due_at", next == null ? null : due(trigger, timing, next));
    json.put("next_reason", next == null ? null : reason(trigger, timing, next));
    var pauses = trigger.pauses();
    json.put("paused", pauses.at() != null);
    json.put("paused_at", pauses.at());
    json.put("paused_by", pauses.by());
    json.put("workflow_paused", pauses.workflowAt() != null);
    json.put("workflow_paused_at", pauses.workflowAt());
    json.put("workflow_paused_by", pauses.workflowBy());
    json.put("last", trigger.last() == null ? null : fire(trigger.last()));
    return json;
  }

  /** Its kind and expression, in the words of the file; returns its times, if it has any. */
  private static @Nullable Timing describe(Trigger trigger, Map<String, @Nullable Object> json) {
    if (trigger.kind().equals(EXPECT_BY)) {
      ExpectBy expected = SpecCodec.expectByFromJson(trigger.spec().text());
      put(json, EXPECT_BY, expected.time().toString(), expected.zone());
      return null;
    }
    return switch (SpecCodec.triggerFromJson(trigger.spec().text())) {
      case TriggerSpec.Timed timed -> {
        Timing timing = timed.timing();
        switch (timing.recurrence()) {
          case Cron cron -> put(json, "cron", cron.text(), timing.zone());
          case Every every -> put(json, "every", Durations.format(every.period()), timing.zone());
          case At at -> put(json, "at", at.instant().toString(), timing.zone());
        }
        json.put("calendar", timing.calendar());
        json.put("jitter", timing.jitter().isZero() ? null : Durations.format(timing.jitter()));
        json.put("missed", word(timed.missed().policy()));
        yield timing;
      }
      case TriggerSpec.AfterWorkflow after -> {
        put(json, "workflow", after.workflow(), null);
        json.put("waits_for", "the end of a run of " + after.workflow() + ": " + ends(after));
        yield null;
      }
      case TriggerSpec.OnEvent on -> {
        put(json, "event", on.event(), null);
        json.put("waits_for", waitsFor(on));
        yield null;
      }
    };
  }

  private static void put(
      Map<String, @Nullable Object> json, String kind, String expression, @Nullable ZoneId zone) {
    json.put("kind", kind);
    json.put("expression", expression);
    json.put("timezone", zone == null ? null : zone.getId());
  }

  private static String ends(TriggerSpec.AfterWorkflow after) {
    return after.on().stream().sorted().map(RunState::name).collect(Collectors.joining(" or "));
  }

  private static String waitsFor(TriggerSpec.OnEvent on) {
    String when = on.when() == null ? "" : " when " + on.when().text();
    String window =
        switch (on.window()) {
          case Window.None() -> "";
          case Window.Batch(var max, var oldest) ->
              ", up to %d together or after %s".formatted(max, Durations.format(oldest));
          case Window.Debounce(var quiet, var max) ->
              ", until none came for %s, at most %s"
                  .formatted(Durations.format(quiet), Durations.format(max));
        };
    return "the event " + on.event() + when + window;
  }

  /** The first instants that are not decided. */
  List<Map<String, @Nullable Object>> next(Trigger trigger, int count) {
    Instant at = trigger.span().until() == null ? trigger.span().next() : null;
    var instants = new ArrayList<Map<String, @Nullable Object>>();
    if (at == null) {
      return instants;
    }
    Timing timing = timing(trigger);
    if (timing == null) {
      instants.add(instant(trigger, null, at));
      return instants.subList(0, Math.min(count, 1));
    }
    String skipped = "";
    for (Line line : Preview.of(timing, null, at.minusNanos(1), count).lines()) {
      switch (line) {
        case Line.Skips skips -> skipped = skips.local().toLocalTime() + " does not exist, skipped";
        case Line.Fires fires -> {
          var json = instant(trigger, timing, fires.instant());
          json.put("note", note(skipped, fires.change()));
          instants.add(json);
          skipped = "";
        }
      }
    }
    return instants;
  }

  /** What a change of the clocks did to this instant, or before it. */
  private static @Nullable String note(String skipped, @Nullable ClockChange change) {
    String own = change == null ? "" : change.text();
    String both = skipped.isEmpty() || own.isEmpty() ? skipped + own : skipped + "; " + own;
    return both.isEmpty() ? null : both;
  }

  private static @Nullable Timing timing(Trigger trigger) {
    return trigger.kind().equals("timed")
            && SpecCodec.triggerFromJson(trigger.spec().text()) instanceof TriggerSpec.Timed timed
        ? timed.timing()
        : null;
  }

  private Map<String, @Nullable Object> instant(
      Trigger trigger, @Nullable Timing timing, Instant at) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("at", at);
    if (timing != null) {
      var local = at.atZone(timing.zone());
      json.put("local", local.toLocalDateTime().toString());
      json.put("offset", local.getOffset().toString());
    }
    json.put("due_at", due(trigger, timing, at));
    json.put("reason", reason(trigger, timing, at));
    return json;
  }

  private static Instant due(Trigger trigger, @Nullable Timing timing, Instant at) {
    return timing == null ? at : timing.due(trigger.name().id().toString(), at);
  }

  /** Why the instant will not fire as things are: the reason that its row would have. */
  private @Nullable String reason(Trigger trigger, @Nullable Timing timing, Instant at) {
    if (trigger.pauses().at() != null) {
      return "trigger_paused";
    }
    if (trigger.pauses().workflowAt() != null) {
      return "paused";
    }
    String named = timing == null ? null : timing.calendar();
    DayCalendar calendar = named == null ? null : calendars.get(named);
    return timing != null
            && calendar != null
            && calendar.excludes(LocalDate.ofInstant(at, timing.zone()))
        ? "calendar: " + named
        : null;
  }

  static Map<String, @Nullable Object> fire(Fire fire) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("trigger", fire.trigger());
    json.put("at", fire.at());
    json.put("due_at", fire.due());
    json.put("outcome", fire.outcome());
    json.put("reason", fire.reason());
    json.put("run_id", fire.run());
    json.put("into_at", fire.into());
    json.put("decided_at", fire.decidedAt());
    json.put("late_ms", fire.late().toMillis());
    return json;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
