package dev.belay.workflow;

import dev.belay.domain.run.RunState;
import dev.belay.domain.schedule.At;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Missed;
import dev.belay.domain.schedule.Recurrence;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.TriggerSpec.Window;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The stored form of triggers and of the limits of runs; equal ones have equal text. */
final class TriggerCodec {

  private TriggerCodec() {}

  static Map<String, Object> trigger(TriggerSpec trigger) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", trigger.name());
    switch (trigger) {
      case TriggerSpec.Timed timed -> {
        timing(timed.timing(), json);
        missed(timed.missed(), json);
      }
      case TriggerSpec.AfterWorkflow after -> {
        json.put("workflow", after.workflow());
        if (!after.on().equals(TriggerEnds.DEFAULT)) {
          json.put("on", after.on().stream().sorted().map(RunState::name).toList());
        }
      }
      case TriggerSpec.OnEvent on -> event(on, json);
    }
    Map<String, Object> values = new TreeMap<>();
    Map<String, Object> templates = new TreeMap<>();
    trigger
        .params()
        .forEach(
            (name, value) -> {
              if (value instanceof Template template) {
                templates.put(name, template.text());
              } else {
                values.put(name, value);
              }
            });
    if (!values.isEmpty()) {
      json.put("params", values);
    }
    if (!templates.isEmpty()) {
      json.put("templates", templates);
    }
    return json;
  }

  private static void timing(Timing timing, Map<String, Object> json) {
    switch (timing.recurrence()) {
      case Cron cron -> json.put("cron", cron.text());
      case Every every -> {
        json.put("every", every.period().toString());
        if (!every.anchor().equals(Every.ANCHOR_DEFAULT)) {
          json.put("anchor", every.anchor().toString());
        }
      }
      case At at -> json.put("at", at.instant().toString());
    }
    if (!timing.zone().equals(Zones.DEFAULT)) {
      json.put("timezone", timing.zone().getId());
    }
    if (timing.dst().gap() != Dst.DEFAULT.gap()) {
      json.put("gap", timing.dst().gap().name());
    }
    if (timing.dst().repeat() != Dst.DEFAULT.repeat()) {
      json.put("repeat", timing.dst().repeat().name());
    }
    if (timing.start() != null) {
      json.put("start", timing.start().toString());
    }
    if (timing.end() != null) {
      json.put("end", timing.end().toString());
    }
    if (timing.calendar() != null) {
      json.put("calendar", timing.calendar());
    }
    if (!timing.jitter().isZero()) {
      json.put("jitter", timing.jitter().toString());
    }
  }

  private static void missed(Missed missed, Map<String, Object> json) {
    if (missed.policy() != Missed.DEFAULT.policy()) {
      json.put("missed", missed.policy().name());
    }
    if (!missed.after().equals(Missed.DEFAULT.after())) {
      json.put("missed_after", missed.after().toString());
    }
    if (missed.max() != Missed.DEFAULT.max()) {
      json.put("missed_max", missed.max());
    }
    if (!missed.age().equals(Missed.DEFAULT.age())) {
      json.put("missed_age", missed.age().toString());
    }
  }

  private static void event(TriggerSpec.OnEvent on, Map<String, Object> json) {
    json.put("event", on.event());
    if (on.when() != null) {
      json.put("when", on.when().text());
    }
    switch (on.window()) {
      case Window.None() -> {}
      case Window.Batch(int max, Duration oldest) -> {
        json.put("batch_max", max);
        json.put("batch_wait", oldest.toString());
      }
      case Window.Debounce(Duration quiet, Duration max) -> {
        json.put("debounce_quiet", quiet.toString());
        json.put("debounce_max", max.toString());
      }
    }
  }

  static TriggerSpec trigger(JsonFields json) {
    String name = json.text("name");
    Map<String, Object> params = new LinkedHashMap<>();
    json.fields("params")
        .each(
            (param, value) -> {
              if (value == null) {
                throw new IllegalArgumentException("not a stored spec: " + param);
              }
              params.put(param, value);
            });
    json.textMap("templates").forEach((param, text) -> params.put(param, new Template(text)));
    if (json.has("workflow")) {
      return new TriggerSpec.AfterWorkflow(name, json.text("workflow"), ends(json), params);
    }
    if (json.has("event")) {
      String when = json.textOrNull("when");
      return new TriggerSpec.OnEvent(
          name, json.text("event"), when == null ? null : new Template(when), window(json), params);
    }
    return new TriggerSpec.Timed(name, timing(json), missed(json), params);
  }

  private static Set<RunState> ends(JsonFields json) {
    return json.has("on")
        ? json.texts("on").stream().map(RunState::valueOf).collect(Collectors.toSet())
        : TriggerEnds.DEFAULT;
  }

  private static Window window(JsonFields json) {
    if (json.has("batch_max")) {
      return new Window.Batch(json.whole("batch_max"), span(json, "batch_wait", Duration.ZERO));
    }
    return json.has("debounce_quiet")
        ? new Window.Debounce(
            span(json, "debounce_quiet", Duration.ZERO), span(json, "debounce_max", Duration.ZERO))
        : new Window.None();
  }

  private static Timing timing(JsonFields json) {
    try {
      return new Timing(
          recurrence(json),
          json.has("timezone") ? ZoneId.of(json.text("timezone")) : Zones.DEFAULT,
          new Dst(
              Dst.Gap.valueOf(json.textOr("gap", Dst.DEFAULT.gap().name())),
              Dst.Repeat.valueOf(json.textOr("repeat", Dst.DEFAULT.repeat().name()))),
          time(json, "start"),
          time(json, "end"),
          json.textOrNull("calendar"),
          span(json, "jitter", Duration.ZERO));
    } catch (DateTimeException | Cron.BadCron e) {
      throw new IllegalArgumentException("not a stored spec: " + e.getMessage(), e);
    }
  }

  private static Recurrence recurrence(JsonFields json) throws Cron.BadCron {
    if (json.has("every")) {
      Instant anchor = time(json, "anchor");
      return new Every(
          span(json, "every", Duration.ZERO), anchor == null ? Every.ANCHOR_DEFAULT : anchor);
    }
    return json.has("at") ? new At(Instant.parse(json.text("at"))) : Cron.parse(json.text("cron"));
  }

  private static Missed missed(JsonFields json) {
    return new Missed(
        Missed.Policy.valueOf(json.textOr("missed", Missed.DEFAULT.policy().name())),
        span(json, "missed_after", Missed.DEFAULT.after()),
        json.wholeOr("missed_max", Missed.DEFAULT.max()),
        span(json, "missed_age", Missed.DEFAULT.age()));
  }

  static Map<String, Object> limits(RunLimits run) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (run.maxActive() != null) {
      json.put("max_active", run.maxActive());
    }
    if (run.maxTasks() != null) {
      json.put("max_tasks", run.maxTasks());
    }
    if (run.overlap() != RunLimits.NONE.overlap()) {
      json.put("overlap", run.overlap().name());
    }
    if (run.timeout() != null) {
      json.put("timeout", run.timeout().toString());
    }
    if (run.deadline() != null) {
      json.put("deadline", run.deadline().toString());
    }
    if (run.expectBy() != null) {
      json.put("expect_by", expectBy(run.expectBy()));
    }
    return json;
  }

  static RunLimits limits(JsonFields json) {
    return new RunLimits(
        json.has("max_active") ? json.whole("max_active") : null,
        json.has("max_tasks") ? json.whole("max_tasks") : null,
        RunLimits.Overlap.valueOf(json.textOr("overlap", RunLimits.NONE.overlap().name())),
        spanOrNull(json, "timeout"),
        spanOrNull(json, "deadline"),
        json.has("expect_by") ? expectBy(json.fields("expect_by")) : null);
  }

  static Map<String, Object> expectBy(RunLimits.ExpectBy expected) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("time", expected.time().toString());
    json.put("timezone", expected.zone().getId());
    return json;
  }

  static RunLimits.ExpectBy expectBy(JsonFields json) {
    try {
      return new RunLimits.ExpectBy(
          LocalTime.parse(json.text("time")), ZoneId.of(json.text("timezone")));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("not a stored spec: expect_by", e);
    }
  }

  private static @Nullable Instant time(JsonFields json, String name) {
    return json.has(name) ? Instant.parse(json.text(name)) : null;
  }

  private static Duration span(JsonFields json, String name, Duration otherwise) {
    Duration span = spanOrNull(json, name);
    return span == null ? otherwise : span;
  }

  private static @Nullable Duration spanOrNull(JsonFields json, String name) {
    return json.has(name) ? Duration.parse(json.text(name)) : null;
  }
}
