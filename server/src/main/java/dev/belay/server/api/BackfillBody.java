package dev.belay.server.api;

import dev.belay.domain.backfill.Existing;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client's request for a backfill.
 *
 * @param from as it was written: a date or a time, of the zone of the trigger unless it has its own
 * @param timing which instants
 * @param dryRun lists the instants and starts nothing
 */
record BackfillBody(
    String from,
    String to,
    Timing timing,
    boolean forward,
    int concurrency,
    Existing existing,
    Map<String, @Nullable Object> params,
    @Nullable DryRun dryRun,
    @Nullable IdempotencyKey key) {

  private static final int CONCURRENCY_MAX = 1_000;
  private static final int LISTED_DEFAULT = 100;
  private static final int LISTED_MAX = 1_000;
  private static final int TEXT_CHARS_MAX = 200;

  /** The name of a trigger, or an expression; all null means the only timed trigger. */
  record Timing(
      @Nullable String trigger,
      @Nullable String cron,
      @Nullable String zone,
      @Nullable String every) {}

  /**
   * A part of the list.
   *
   * @param cursor the first instant of the part; null means the first of all
   */
  record DryRun(int limit, @Nullable Instant cursor) {}

  /** Reads and checks the body; only for a thread that may compute. */
  static BackfillBody of(Call call, byte[] bytes) {
    var problems = new Problems("");
    var body = JsonText.body(bytes, problems);
    var reading = new Reading(problems);
    body.entries().forEach(reading::take);
    reading.require();
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The backfill is not valid; nothing was started.");
    }
    return new BackfillBody(
        String.valueOf(reading.from),
        String.valueOf(reading.to),
        new Timing(reading.trigger, reading.cron, reading.zone, reading.every),
        reading.forward,
        reading.concurrency,
        reading.existing,
        reading.params,
        reading.dryRun ? new DryRun(reading.limit, reading.cursor) : null,
        key(call, body));
  }

  private static @Nullable IdempotencyKey key(Call call, Node.Mapping body) {
    var key = Submit.key(call);
    var tenant = call.tenant();
    return key == null
        ? null
        : new IdempotencyKey(
            tenant,
            key,
            JsonText.hash(
                Map.of("backfill", call.path("name"), "tenant", tenant, "body", body.value())));
  }

  /** The fields read so far. */
  private static final class Reading {
    private final Problems problems;
    private @Nullable String from;
    private @Nullable String to;
    private @Nullable String trigger;
    private @Nullable String cron;
    private @Nullable String zone;
    private @Nullable String every;
    private boolean forward = true;
    private int concurrency = 1;
    private Existing existing = Existing.MISSING;
    private Map<String, @Nullable Object> params = Map.of();
    private boolean dryRun;
    private int limit = LISTED_DEFAULT;
    private @Nullable Instant cursor;
    private Node.@Nullable Entry listed;

    Reading(Problems problems) {
      this.problems = problems;
    }

    void take(Node.Entry entry) {
      switch (entry.name()) {
        case "from" -> from = text(entry);
        case "to" -> to = text(entry);
        case "trigger" -> trigger = text(entry);
        case "cron" -> cron = text(entry);
        case "zone" -> zone = text(entry);
        case "every" -> every = text(entry);
        case "order" -> forward = order(entry);
        case "concurrency" -> concurrency = number(entry, CONCURRENCY_MAX);
        case "existing" -> existing = existing(entry);
        case "params" -> params = params(entry);
        case "dry_run" -> dryRun = flag(entry);
        case "limit" -> {
          limit = number(entry, LISTED_MAX);
          listed = entry;
        }
        case "cursor" -> {
          cursor = time(entry);
          listed = entry;
        }
        default ->
            problems.add(
                entry.at(),
                "unknown field; a backfill has from, to, trigger, cron, zone, every, order,"
                    + " concurrency, existing, params and dry_run (with limit and cursor)");
      }
    }

    void require() {
      if (problems.isEmpty() && (from == null || to == null)) {
        problems.add(
            new FieldPath(FieldPath.ROOT, from == null ? "from" : "to", 0, 0), "is missing");
      }
      if (problems.isEmpty() && !dryRun && listed != null) {
        problems.add(
            listed.at(), "goes with dry_run: it chooses a part of the list, not what is started");
      }
    }

    private @Nullable String text(Node.Entry entry) {
      if (entry.value().value() instanceof String text
          && !text.isBlank()
          && text.length() <= TEXT_CHARS_MAX) {
        return text;
      }
      problems.add(entry.at(), "must be a text of at most " + TEXT_CHARS_MAX + " characters");
      return null;
    }

    private boolean order(Node.Entry entry) {
      String order = String.valueOf(entry.value().value());
      if (!order.equals("forward") && !order.equals("back")) {
        problems.add(entry.at(), "must be forward or back");
      }
      return !order.equals("back");
    }

    private int number(Node.Entry entry, int max) {
      if (entry.value().value() instanceof Long number && number >= 1 && number <= max) {
        return number.intValue();
      }
      problems.add(entry.at(), "must be a whole number from 1 to " + max);
      return 1;
    }

    private Existing existing(Node.Entry entry) {
      return (entry.value().value() instanceof String word
              ? Existing.ofWord(word)
              : Optional.<Existing>empty())
          .orElseGet(
              () -> {
                problems.add(entry.at(), "must be missing, failed or all");
                return Existing.MISSING;
              });
    }

    private Map<String, @Nullable Object> params(Node.Entry entry) {
      if (entry.value() instanceof Node.Mapping given) {
        return given.value();
      }
      problems.add(entry.at(), "must be an object of parameters by name");
      return Map.of();
    }

    private boolean flag(Node.Entry entry) {
      if (entry.value().value() instanceof Boolean given) {
        return given;
      }
      problems.add(entry.at(), "must be true or false");
      return false;
    }

    private @Nullable Instant time(Node.Entry entry) {
      try {
        if (entry.value().value() instanceof String text) {
          return Instant.parse(text);
        }
      } catch (DateTimeException notATime) {
        // Reported below.
      }
      problems.add(entry.at(), "must be the next of an earlier answer");
      return null;
    }
  }
}
