package dev.belay.workflow;

import static dev.belay.workflow.FileKey.optional;
import static dev.belay.workflow.FileKey.required;

import dev.belay.domain.schedule.Cron;
import dev.belay.domain.schedule.Dst;
import dev.belay.domain.schedule.Every;
import dev.belay.domain.schedule.Missed;
import dev.belay.workflow.Shape.Rule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The keys of triggers, and the kinds of triggers that they belong to. */
final class TriggerKeys {

  static final int TRIGGERS_MAX = 100;
  static final int CRON_CHARS_MAX = Cron.CHARS_MAX;
  static final int WHEN_CHARS_MAX = 1_000;
  static final int BATCH_MAX = 1_000;

  /** The params of all triggers of a workflow together, as JSON. */
  static final int PARAMS_CHARS_MAX = 1_000_000;

  static final Duration JITTER_MAX = Duration.ofDays(1);
  static final Duration WINDOW_MIN = Duration.ofMillis(100);
  static final Duration WINDOW_MAX = Duration.ofDays(1);
  static final int DEBOUNCE_MAX_FACTOR = 10;

  /** A trigger has exactly one of these keys. */
  enum Kind {
    CRON,
    EVERY,
    AT,
    WORKFLOW,
    EVENT;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
      return Stream.of(values()).map(Kind::word).toList();
    }
  }

  private static final List<Kind> TIMED = List.of(Kind.CRON, Kind.EVERY, Kind.AT);
  private static final List<Kind> REPEATING = List.of(Kind.CRON, Kind.EVERY);

  /** The kinds that a key belongs to; keys that are not here belong to all. */
  static final Map<String, List<Kind>> KINDS_OF_KEY = new LinkedHashMap<>();

  static {
    for (String key : List.of("timezone", "calendar", "jitter", "missed")) {
      KINDS_OF_KEY.put(key, TIMED);
    }
    for (String key : List.of("missed_after", "missed_max", "missed_age")) {
      KINDS_OF_KEY.put(key, TIMED);
    }
    KINDS_OF_KEY.put("start", REPEATING);
    KINDS_OF_KEY.put("end", REPEATING);
    KINDS_OF_KEY.put("dst", List.of(Kind.CRON, Kind.AT));
    KINDS_OF_KEY.put("anchor", List.of(Kind.EVERY));
    KINDS_OF_KEY.put("on", List.of(Kind.WORKFLOW));
    for (String key : List.of("when", "batch", "debounce")) {
      KINDS_OF_KEY.put(key, List.of(Kind.EVENT));
    }
  }

  private static final Shape NAME = new Shape.Text(Rule.NAME, Keys.NAME_CHARS_MAX);
  private static final Shape MOMENT = new Shape.Text(Rule.FREE, LocalTimes.CHARS_MAX);
  private static final Shape WINDOW = new Shape.Span(WINDOW_MIN, WINDOW_MAX);
  private static final Shape END = new Shape.Word(TriggerEnds.WORDS);

  private static final Shape.Fields DST =
      new Shape.Fields(
          "'dst'",
          List.of(
              optional(
                  "gap",
                  new Shape.Word(words(Dst.Gap.values())),
                  "For a local time that the clocks leave out: 02:30 becomes 03:30, or does not"
                      + " fire (default shift)."),
              optional(
                  "repeat",
                  new Shape.Word(words(Dst.Repeat.values())),
                  "For a local time that occurs twice (default first).")),
          "{gap: shift, repeat: first}");

  private static final Shape.Fields BATCH =
      new Shape.Fields(
          "'batch'",
          List.of(
              required("max", new Shape.Whole(2, BATCH_MAX), "One run for up to so many events."),
              required("wait", WINDOW, "No event waits longer than this for others.")),
          "{max: 100, wait: 1m}");

  private static final Shape.Fields DEBOUNCE =
      new Shape.Fields(
          "'debounce'",
          List.of(
              required("quiet", WINDOW, "One run when no event came for so long."),
              optional(
                  "max",
                  new Shape.Span(WINDOW_MIN, WINDOW_MAX.multipliedBy(DEBOUNCE_MAX_FACTOR)),
                  "But not later than this after the first event (default 10 times 'quiet').")),
          "{quiet: 5s, max: 1m}");

  static final Shape.Fields TRIGGER =
      new Shape.Fields(
          "a trigger",
          List.of(
              optional(
                  "name", NAME, "Unique in the workflow (default: the kind and its expression)."),
              optional(
                  "cron",
                  new Shape.Text(Rule.FREE, CRON_CHARS_MAX),
                  "Fires at the times of a cron expression with 5 or 6 fields."),
              optional(
                  "every", new Shape.Span(Every.PERIOD_MIN), "Fires each time this has passed."),
              optional("at", MOMENT, "Fires once."),
              optional("workflow", NAME, "Fires when a run of this workflow ends."),
              optional("event", NAME, "Fires when this event arrives."),
              optional(
                  "timezone", new Shape.Zone(), "The IANA time zone of its times (default UTC)."),
              optional("dst", DST, "What happens when the clocks change."),
              optional("start", MOMENT, "Does not fire before this time."),
              optional("end", MOMENT, "Does not fire at this time or later."),
              optional("calendar", NAME, "Does not fire on the days of this calendar."),
              optional(
                  "jitter",
                  new Shape.Span(Duration.ZERO, JITTER_MAX),
                  "Fires up to this much later, always by the same amount (default 0s)."),
              optional("anchor", MOMENT, "A time at which 'every' fires (default 1970)."),
              optional(
                  "missed",
                  new Shape.Word(words(Missed.Policy.values())),
                  "What happens to times that passed while Belay could not fire"
                      + " (default fire_once)."),
              optional(
                  "missed_after",
                  new Shape.Span(Duration.ofSeconds(1)),
                  "A time was missed when it is this late (default 1m)."),
              optional(
                  "missed_max",
                  new Shape.Whole(1, Missed.MAX_MAX),
                  "With fire_all: at most so many, the newest (default 100)."),
              optional(
                  "missed_age",
                  new Shape.Span(Duration.ofSeconds(1)),
                  "Times older than this stay missed (default 7d)."),
              optional(
                  "on",
                  new Shape.ShortOrLong(
                      END,
                      new Shape.Items(END, 1, TriggerEnds.WORDS.size(), "[succeeded, failed]")),
                  "How the run of the other workflow must end (default succeeded)."),
              optional(
                  "when",
                  new Shape.Text(Rule.TEMPLATE, WHEN_CHARS_MAX),
                  "One boolean expression over 'event'; false starts no run."),
              optional("batch", BATCH, "One run for several events."),
              optional(
                  "debounce",
                  new Shape.ShortOrLong(WINDOW, DEBOUNCE),
                  "One run when the events pause."),
              optional(
                  "params",
                  new Shape.Entries(
                      Rule.PARAM_NAME, new Shape.AnyJson(), Keys.PARAMS_MAX, "{day: value}"),
                  "Values for the parameters of its runs.")),
          "{cron: \"0 2 * * *\", timezone: Europe/Berlin}");

  static final Shape LIST =
      new Shape.Items(TRIGGER, 0, TRIGGERS_MAX, "[{cron: \"0 2 * * *\", timezone: Europe/Berlin}]");

  private TriggerKeys() {}

  /** For people: "'cron', 'every' and 'at'". */
  static String shown(List<Kind> kinds) {
    List<String> quoted = kinds.stream().map(kind -> "'" + kind.word() + "'").toList();
    return quoted.size() == 1
        ? quoted.getFirst()
        : quoted.stream().limit(quoted.size() - 1L).collect(Collectors.joining(", "))
            + " and "
            + quoted.getLast();
  }

  private static List<String> words(Enum<?>[] values) {
    return Stream.of(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
  }
}
