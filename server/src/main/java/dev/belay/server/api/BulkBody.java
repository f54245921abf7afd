package dev.belay.server.api;

import dev.belay.domain.bulk.BulkFilter;
import dev.belay.domain.bulk.BulkKind;
import dev.belay.domain.bulk.BulkTarget;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.steer.Steer;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.workflow.Durations;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A client's request for a bulk operation.
 *
 * @param dryRun previews and starts nothing
 */
record BulkBody(
    BulkKind kind,
    BulkFilter filter,
    @Nullable Integer priority,
    String note,
    @Nullable Double rate,
    boolean dryRun,
    @Nullable IdempotencyKey key) {

  private static final double RATE_MIN = 0.01;
  private static final double RATE_MAX = 10_000;
  private static final int TEXT_CHARS_MAX = 255;
  private static final int NOTE_CHARS_MAX = 300;
  private static final int LABELS_MAX = 20;

  /** The fields of a filter that only some targets have. */
  private static final Map<String, Set<BulkTarget>> OF =
      Map.of(
          "run", Set.of(BulkTarget.TASKS),
          "labels", Set.of(BulkTarget.TASKS),
          "pool", Set.of(BulkTarget.TASKS, BulkTarget.DEAD_LETTERS),
          "name", Set.of(BulkTarget.TASKS, BulkTarget.DEAD_LETTERS),
          "reason", Set.of(BulkTarget.DEAD_LETTERS),
          "topic", Set.of(BulkTarget.DEAD_LETTERS),
          "fingerprint", Set.of(BulkTarget.DEAD_LETTERS));

  /** Reads and checks the body; ages count from {@code now}. */
  static BulkBody of(Call call, byte[] bytes, Instant now) {
    var problems = new Problems("");
    var body = JsonText.body(bytes, problems);
    var reading = new Reading(problems, now);
    body.entries().forEach(reading::take);
    BulkKind kind = reading.require();
    if (kind == null || !problems.isEmpty()) {
      throw Refused.invalid(
          problems.list(), "The bulk operation is not valid; nothing was started.");
    }
    return new BulkBody(
        kind,
        reading.filter(kind),
        reading.priority,
        reading.note,
        reading.rate,
        reading.dryRun,
        key(call, body, reading.tenant));
  }

  private static @Nullable IdempotencyKey key(Call call, Node.Mapping body, String tenant) {
    var key = Submit.key(call);
    return key == null
        ? null
        : new IdempotencyKey(tenant, key, JsonText.hash(Map.of("bulk", body.value())));
  }

  /** The fields read so far. */
  private static final class Reading {
    private final Problems problems;
    private final Instant now;
    private @Nullable BulkKind kind;
    private Node.@Nullable Mapping filter;
    private Node.@Nullable Entry priorityEntry;
    private @Nullable Integer priority;
    private String note = "";
    private @Nullable Double rate;
    private boolean dryRun;
    private String tenant = WorkflowSpec.DEFAULT_TENANT;
    private final Set<String> states = new TreeSet<>();
    private @Nullable String workflow;
    private @Nullable UUID run;
    private @Nullable String pool;
    private @Nullable String name;
    private Map<String, String> labels = Map.of();
    private @Nullable String reason;
    private @Nullable String topic;
    private @Nullable String fingerprint;
    private @Nullable Instant since;
    private @Nullable Instant before;

    Reading(Problems problems, Instant now) {
      this.problems = problems;
      this.now = now;
    }

    void take(Node.Entry entry) {
      switch (entry.name()) {
        case "kind" -> kind = kind(entry);
        case "filter" -> {
          if (entry.value() instanceof Node.Mapping given) {
            filter = given;
          } else {
            problems.add(entry.at(), "must be an object");
          }
        }
        case "priority" -> {
          priorityEntry = entry;
          priority = priority(entry);
        }
        case "note" -> note = note(entry);
        case "rate" -> rate = rate(entry);
        case "dry_run" -> dryRun = flag(entry);
        default ->
            problems.add(
                entry.at(),
                "unknown field; a bulk operation has kind, filter, priority, note, rate and"
                    + " dry_run");
      }
    }

    @Nullable BulkKind require() {
      BulkKind wanted = kind;
      if (wanted == null) {
        missing(problems.isEmpty(), "kind");
        return null;
      }
      if (filter == null) {
        missing(problems.isEmpty(), "filter");
        return wanted;
      }
      filter.entries().forEach(entry -> narrow(wanted, entry));
      boolean isAll =
          states.isEmpty()
              && workflow == null
              && run == null
              && pool == null
              && name == null
              && reason == null
              && topic == null
              && fingerprint == null;
      if (problems.isEmpty() && isAll && labels.isEmpty() && since == null && before == null) {
        problems.add(
            filter.at(),
            "would match everything that "
                + wanted.word()
                + " can change; name at least one of state, workflow, created_since and"
                + " created_before, or for tasks run, pool, name, labels");
      }
      if (wanted == BulkKind.PRIORITY) {
        missing(problems.isEmpty() && priority == null, "priority");
      } else if (priorityEntry != null) {
        problems.add(priorityEntry.at(), "goes with the kind priority");
      }
      return wanted;
    }

    private void missing(boolean isMissing, String field) {
      if (isMissing) {
        problems.add(new FieldPath(FieldPath.ROOT, field, 0, 0), "is missing");
      }
    }

    private void narrow(BulkKind wanted, Node.Entry entry) {
      var targets = OF.get(entry.name());
      if (targets != null && !targets.contains(wanted.target())) {
        problems.add(
            entry.at(),
            "selects %s; %s changes %s"
                .formatted(nouns(targets), wanted.word(), nouns(Set.of(wanted.target()))));
        return;
      }
      switch (entry.name()) {
        case "tenant" -> tenant = text(entry, tenant);
        case "state" -> states(wanted, entry);
        case "workflow" -> workflow = text(entry, "");
        case "run" -> run = id(entry);
        case "pool" -> pool = text(entry, "");
        case "name" -> name = text(entry, "");
        case "labels" -> labels = labels(entry);
        case "reason" -> reason = text(entry, "");
        case "topic" -> topic = text(entry, "");
        case "fingerprint" -> fingerprint = text(entry, "");
        case "created_since" -> since = time(entry);
        case "created_before" -> before = time(entry);
        default ->
            problems.add(
                entry.at(),
                "unknown filter; there are tenant, state, workflow, run, pool, name, labels,"
                    + " created_since and created_before, and for dead letters reason, topic and"
                    + " fingerprint");
      }
    }

    BulkFilter filter(BulkKind wanted) {
      return new BulkFilter(
          tenant,
          new TreeSet<>(states.isEmpty() ? wanted.usualStates() : states),
          workflow,
          run,
          pool,
          name,
          labels,
          since,
          before,
          new BulkFilter.Letters(reason, topic, fingerprint));
    }

    private static String nouns(Set<BulkTarget> targets) {
      return targets.stream()
          .sorted()
          .map(target -> target.name().toLowerCase(Locale.ROOT).replace('_', ' '))
          .collect(Collectors.joining(" or "));
    }

    private @Nullable BulkKind kind(Node.Entry entry) {
      var known =
          entry.value().value() instanceof String word ? BulkKind.ofWord(word).orElse(null) : null;
      if (known == null) {
        problems.add(
            entry.at(),
            "must be one of "
                + Arrays.stream(BulkKind.values())
                    .map(BulkKind::word)
                    .collect(Collectors.joining(", ")));
      }
      return known;
    }

    private void states(BulkKind wanted, Node.Entry entry) {
      List<?> given =
          entry.value().value() instanceof List<?> many
              ? many
              : List.of(String.valueOf(entry.value().value()));
      for (Object one : given) {
        String state = String.valueOf(one).toUpperCase(Locale.ROOT);
        if (wanted.states().contains(state)) {
          states.add(state);
        } else {
          problems.add(
              entry.at(),
              "%s changes nothing in the state '%s'; it must be one of %s"
                  .formatted(wanted.word(), shown(one), String.join(", ", wanted.states())));
        }
      }
      if (given.isEmpty()) {
        problems.add(entry.at(), "must name at least one state");
      }
    }

    private static String shown(Object value) {
      String text = String.valueOf(value);
      return text.length() <= 30 ? text : text.substring(0, 30) + "...";
    }

    private Integer priority(Node.Entry entry) {
      if (entry.value().value() instanceof Long number
          && number >= Steer.PRIORITY_MIN
          && number <= Steer.PRIORITY_MAX) {
        return number.intValue();
      }
      problems.add(
          entry.at(),
          "must be a whole number from " + Steer.PRIORITY_MIN + " to " + Steer.PRIORITY_MAX);
      return Steer.PRIORITY_MIN;
    }

    private String note(Node.Entry entry) {
      if (entry.value().value() instanceof String text && text.length() <= NOTE_CHARS_MAX) {
        return text.strip();
      }
      problems.add(entry.at(), "must be a text of at most " + NOTE_CHARS_MAX + " characters");
      return "";
    }

    private @Nullable Double rate(Node.Entry entry) {
      if (entry.value().value() instanceof Number number
          && number.doubleValue() >= RATE_MIN
          && number.doubleValue() <= RATE_MAX) {
        return number.doubleValue();
      }
      problems.add(
          entry.at(), "must be a number of changes a second, from 0.01 to " + (int) RATE_MAX);
      return null;
    }

    private boolean flag(Node.Entry entry) {
      if (entry.value().value() instanceof Boolean given) {
        return given;
      }
      problems.add(entry.at(), "must be true or false");
      return false;
    }

    private String text(Node.Entry entry, String otherwise) {
      if (entry.value().value() instanceof String text
          && !text.isBlank()
          && text.length() <= TEXT_CHARS_MAX) {
        return text;
      }
      problems.add(entry.at(), "must be a text of 1 to " + TEXT_CHARS_MAX + " characters");
      return otherwise;
    }

    private @Nullable UUID id(Node.Entry entry) {
      try {
        return UUID.fromString(String.valueOf(entry.value().value()));
      } catch (IllegalArgumentException notAnId) {
        problems.add(entry.at(), "must be the id of a run");
        return null;
      }
    }

    private Map<String, String> labels(Node.Entry entry) {
      var read = new TreeMap<String, String>();
      if (entry.value() instanceof Node.Mapping given
          && !given.entries().isEmpty()
          && given.entries().size() <= LABELS_MAX) {
        for (Node.Entry label : given.entries()) {
          read.put(label.name(), text(label, ""));
        }
      } else {
        problems.add(entry.at(), "must be an object of 1 to " + LABELS_MAX + " labels");
      }
      return read;
    }

    /** A time, or an age. */
    private @Nullable Instant time(Node.Entry entry) {
      if (entry.value().value() instanceof String text) {
        var age = Durations.parse(text);
        if (age.isPresent()) {
          return now.minus(age.get());
        }
        try {
          var time = Instant.parse(text);
          if (time.isAfter(Call.TIME_MIN) && time.isBefore(Call.TIME_MAX)) {
            return time;
          }
        } catch (DateTimeException notATime) {
          // Reported below.
        }
      }
      problems.add(entry.at(), "must be a time like 2026-01-31T12:00:00Z, or an age like 24h");
      return null;
    }
  }
}
