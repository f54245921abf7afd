package dev.belay.workflow;

import dev.belay.domain.schedule.At;
import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Missed;
import dev.belay.domain.schedule.Recurrence;
import dev.belay.domain.schedule.Timing;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.TriggerSpec;
import dev.belay.domain.spec.TriggerSpec.Window;
import dev.belay.workflow.TriggerKeys.Kind;
import dev.belay.workflow.Value.Fields;
import dev.belay.workflow.tree.Node;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the triggers of one workflow and reports what is wrong. Use once. */
final class TriggersReader {

  private final Problems problems;
  private final ExpressionChecker expressions;
  private final TriggerParams params;
  private final @Nullable String workflow;
  private final Map<String, Node> firstOfName = new HashMap<>();

  /**
   * @param workflow the name of the workflow; null when it has none
   */
  TriggersReader(
      Problems problems,
      ExpressionChecker expressions,
      TriggerParams params,
      @Nullable String workflow) {
    this.problems = problems;
    this.expressions = expressions;
    this.params = params;
    this.workflow = workflow;
  }

  /** The triggers without problems. */
  List<TriggerSpec> read(Value.@Nullable Items written) {
    List<TriggerSpec> triggers = new ArrayList<>();
    for (Value item : written == null ? List.<Value>of() : written.items()) {
      Fields trigger = (Fields) item;
      Kind kind = kind(trigger);
      if (kind != null) {
        checkKeys(trigger, kind);
        TriggerSpec spec = trigger(trigger, kind);
        if (spec != null) {
          checkName(trigger, spec.name());
          triggers.add(spec);
        }
      }
    }
    return triggers;
  }

  private @Nullable Kind kind(Fields trigger) {
    List<Kind> kinds =
        List.of(Kind.values()).stream().filter(kind -> trigger.has(kind.word())).toList();
    if (kinds.isEmpty()) {
      problems.add(
          trigger.node().at(),
          "a trigger needs one of 'cron', 'every', 'at', 'workflow' and 'event'; for example {cron:"
              + " \"0 2 * * *\"}");
      return null;
    }
    if (kinds.size() > 1) {
      problems.add(
          trigger.keyAt(kinds.get(1).word()),
          "a trigger has either '%s' or '%s', not both; write two triggers"
              .formatted(kinds.get(0).word(), kinds.get(1).word()));
      return null;
    }
    return kinds.getFirst();
  }

  private void checkKeys(Fields trigger, Kind kind) {
    trigger
        .written()
        .forEach(
            (key, at) -> {
              List<Kind> kinds = TriggerKeys.KINDS_OF_KEY.get(key);
              if (kinds != null && !kinds.contains(kind)) {
                problems.add(
                    at,
                    "'%s' is for %s, not for '%s'; remove it"
                        .formatted(key, TriggerKeys.shown(kinds), kind.word()));
              }
            });
  }

  private void checkName(Fields trigger, String name) {
    Value.Text written = trigger.find("name", Value.Text.class);
    Node at = written == null ? trigger.node() : written.node();
    Node first = firstOfName.putIfAbsent(name, at);
    if (first != null) {
      problems.add(
          at.at(),
          "duplicate trigger name %s; it is already on %s: give one another 'name'"
              .formatted(ShapeReader.quoted(name), first.at().shown()));
    }
  }

  private @Nullable TriggerSpec trigger(Fields trigger, Kind kind) {
    Map<String, Object> values = params.read(trigger, kind);
    return switch (kind) {
      case CRON, EVERY, AT -> timed(trigger, kind, values);
      case WORKFLOW -> afterWorkflow(trigger, values);
      case EVENT -> onEvent(trigger, values);
    };
  }

  private TriggerSpec.@Nullable Timed timed(Fields trigger, Kind kind, Map<String, Object> values) {
    ZoneId zone = trigger.or("timezone", Zones.DEFAULT);
    Dst dst = dst(trigger);
    Instant start = moment(trigger, "start", zone, dst);
    Instant end = moment(trigger, "end", zone, dst);
    boolean turned = start != null && end != null && !end.isAfter(start);
    if (turned) {
      problems.add(trigger.keyAt("end"), "'end' must be after 'start'; nothing would fire");
    }
    Missed missed = missed(trigger);
    Recurrence recurrence =
        switch (kind) {
          case CRON -> cron(trigger);
          case EVERY -> every(trigger, zone, dst);
          case AT -> at(trigger, zone, dst);
          case WORKFLOW, EVENT -> throw new IllegalStateException(kind.word());
        };
    if (recurrence == null) {
      return null;
    }
    Duration jitter = trigger.or("jitter", Duration.ZERO);
    Timing timing = new Timing(recurrence, zone, dst, start, end, trigger.text("calendar"), jitter);
    if (!turned && timing.next(Instant.EPOCH.minusNanos(1)).isEmpty()) {
      problems.add(
          trigger.keyAt(kind.word()),
          "it would never fire; write a time that occurs%s"
              .formatted(start == null && end == null ? "" : " between 'start' and 'end'"));
    }
    return new TriggerSpec.Timed(
        name(trigger, kind, expression(trigger, recurrence)), timing, missed, values);
  }

  private @Nullable Cron cron(Fields trigger) {
    Value.Text written = trigger.find("cron", Value.Text.class);
    if (written == null) {
      return null;
    }
    try {
      return Cron.parse(written.text());
    } catch (Cron.BadCron bad) {
      problems.add(written.node().at(), "bad 'cron': " + bad.getMessage());
      return null;
    }
  }

  private @Nullable Every every(Fields trigger, ZoneId zone, Dst dst) {
    Instant anchor = moment(trigger, "anchor", zone, dst);
    Duration period = trigger.orNull("every");
    if (period == null) {
      return null;
    }
    Duration jitter = trigger.or("jitter", Duration.ZERO);
    if (jitter.compareTo(period) >= 0) {
      problems.add(
          trigger.keyAt("jitter"),
          "'jitter' must be shorter than 'every', %s".formatted(Durations.format(period)));
    }
    return new Every(period, anchor == null ? Every.ANCHOR_DEFAULT : anchor);
  }

  private @Nullable At at(Fields trigger, ZoneId zone, Dst dst) {
    Value.Text written = trigger.find("at", Value.Text.class);
    if (written == null) {
      return null;
    }
    return switch (LocalTimes.meaning(written.text(), zone)) {
      case LocalTimes.Known(var instant) -> new At(instant);
      case LocalTimes.InGap(var shifted) when dst.gap() == Dst.Gap.SHIFT -> new At(shifted);
      case LocalTimes.InGap _ -> {
        problems.add(
            written.node().at(),
            "the clocks of %s leave out %s, and with 'gap: skip' it would never fire; write another"
                    .formatted(zone, written.text())
                + " time");
        yield null;
      }
      case LocalTimes.Twice(var first, var last) -> twice(written, first, last, dst);
      case LocalTimes.NoTime() -> {
        noMoment(written, "at");
        yield null;
      }
    };
  }

  private @Nullable At twice(Value.Text written, Instant first, Instant last, Dst dst) {
    return switch (dst.repeat()) {
      case FIRST -> new At(first);
      case LAST -> new At(last);
      case BOTH -> {
        problems.add(
            written.node().at(),
            "%s occurs twice, and 'at' fires once; write 'repeat: first' or 'repeat: last'"
                .formatted(written.text()));
        yield null;
      }
    };
  }

  private @Nullable Instant moment(Fields trigger, String key, ZoneId zone, Dst dst) {
    Value.Text written = trigger.find(key, Value.Text.class);
    if (written == null) {
      return null;
    }
    Optional<Instant> moment = LocalTimes.resolve(written.text(), zone, dst);
    if (moment.isEmpty()) {
      noMoment(written, key);
    }
    return moment.orElse(null);
  }

  private void noMoment(Value.Text written, String key) {
    problems.add(
        written.node().at(),
        "'%s' must be %s, not %s"
            .formatted(key, LocalTimes.EXPECTED, ShapeReader.quoted(written.text())));
  }

  private static Dst dst(Fields trigger) {
    Fields dst = trigger.find("dst", Fields.class);
    String gap = dst == null ? null : dst.text("gap");
    String repeat = dst == null ? null : dst.text("repeat");
    return new Dst(
        gap == null ? Dst.DEFAULT.gap() : Dst.Gap.valueOf(constant(gap)),
        repeat == null ? Dst.DEFAULT.repeat() : Dst.Repeat.valueOf(constant(repeat)));
  }

  private Missed missed(Fields trigger) {
    String word = trigger.text("missed");
    Missed.Policy policy =
        word == null ? Missed.DEFAULT.policy() : Missed.Policy.valueOf(constant(word));
    if (trigger.has("missed_max") && policy != Missed.Policy.FIRE_ALL) {
      problems.add(trigger.keyAt("missed_max"), "'missed_max' needs 'missed: fire_all'; remove it");
    }
    if (trigger.has("missed_age") && policy == Missed.Policy.SKIP) {
      problems.add(
          trigger.keyAt("missed_age"),
          "'missed_age' needs 'missed: fire_once' or 'missed: fire_all'; remove it");
    }
    return new Missed(
        policy,
        trigger.or("missed_after", Missed.DEFAULT.after()),
        trigger.or("missed_max", Missed.DEFAULT.max()),
        trigger.or("missed_age", Missed.DEFAULT.age()));
  }

  private TriggerSpec.@Nullable AfterWorkflow afterWorkflow(
      Fields trigger, Map<String, Object> values) {
    Value.Text upstream = trigger.find("workflow", Value.Text.class);
    if (upstream == null) {
      return null;
    }
    if (upstream.text().equals(workflow)) {
      problems.add(
          upstream.node().at(),
          "a workflow cannot start itself: %s -> %s; name another workflow"
              .formatted(workflow, workflow));
    }
    List<String> ends =
        switch (trigger.values().get("on")) {
          case Value.Text one -> List.of(one.text());
          case Value.Items several -> several.texts().stream().map(Value.Text::text).toList();
          case null, default -> List.of();
        };
    return new TriggerSpec.AfterWorkflow(
        name(trigger, Kind.WORKFLOW, upstream.text()),
        upstream.text(),
        ends.isEmpty() ? TriggerEnds.DEFAULT : TriggerEnds.states(ends),
        values);
  }

  private TriggerSpec.@Nullable OnEvent onEvent(Fields trigger, Map<String, Object> values) {
    Value.Text when = trigger.find("when", Value.Text.class);
    if (when != null) {
      expressions.checkEventWhen(when);
    }
    if (trigger.has("batch") && trigger.has("debounce")) {
      problems.add(
          trigger.keyAt("debounce"),
          "a trigger has either 'batch' or 'debounce', not both; remove one");
    }
    Window window = window(trigger);
    String event = trigger.text("event");
    if (event == null || window == null) {
      return null;
    }
    return new TriggerSpec.OnEvent(
        name(trigger, Kind.EVENT, event),
        event,
        when == null ? null : new Template(when.text()),
        window,
        values);
  }

  private @Nullable Window window(Fields trigger) {
    Fields batch = trigger.find("batch", Fields.class);
    if (batch != null) {
      Integer max = batch.orNull("max");
      Duration wait = batch.orNull("wait");
      return max == null || wait == null ? null : new Window.Batch(max, wait);
    }
    return switch (trigger.values().get("debounce")) {
      case Value.Plain brief -> debounce(trigger, (Duration) brief.value(), null);
      case Fields full when full.orNull("quiet") != null ->
          debounce(
              trigger,
              Objects.requireNonNull(full.<Duration>orNull("quiet")),
              full.<Duration>orNull("max"));
      case null, default -> new Window.None();
    };
  }

  private Window debounce(Fields trigger, Duration quiet, @Nullable Duration max) {
    if (max != null && max.compareTo(quiet) < 0) {
      problems.add(
          trigger.keyAt("debounce"),
          "'max' of 'debounce' must be at least 'quiet', %s".formatted(Durations.format(quiet)));
    }
    Duration otherwise = quiet.multipliedBy(TriggerKeys.DEBOUNCE_MAX_FACTOR);
    return new Window.Debounce(quiet, max == null ? otherwise : max);
  }

  private static String expression(Fields trigger, Recurrence recurrence) {
    return switch (recurrence) {
      case Cron cron -> cron.text();
      case Every every -> Durations.format(every.period());
      case At _ -> Objects.requireNonNull(trigger.text("at"));
    };
  }

  private static String name(Fields trigger, Kind kind, String expression) {
    String name = trigger.text("name");
    return name == null ? kind.word() + " " + expression : name;
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
