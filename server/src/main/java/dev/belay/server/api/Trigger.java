package dev.belay.server.api;

import dev.belay.store.intake.IdempotencyKey;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's request to trigger a run.
 *
 * @param version null means the latest
 * @param logicalDate null means the time of the trigger
 */
record Trigger(
    Map<String, @Nullable Object> params,
    @Nullable Integer version,
    @Nullable Instant logicalDate,
    @Nullable IdempotencyKey key) {

  /** Years that PostgreSQL, JSON and people all write with four digits. */
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private static final Node.Mapping NOTHING = new Node.Mapping(FieldPath.ROOT, List.of());

  /** Reads and checks the body; only for a thread that may compute. */
  static Trigger of(Call call, byte[] bytes) {
    var problems = new Problems("");
    var body = bytes.length == 0 ? NOTHING : JsonText.body(bytes, problems);
    Map<String, @Nullable Object> params = Map.of();
    Integer version = null;
    Instant logicalDate = null;
    for (var entry : body.entries()) {
      switch (entry.name()) {
        case "params" -> {
          if (entry.value() instanceof Node.Mapping given) {
            params = given.value();
          } else {
            problems.add(entry.at(), "must be an object of parameters by name");
          }
        }
        case "version" -> {
          if (entry.value().value() instanceof Long number && number.intValue() == number) {
            version = number.intValue();
          } else {
            problems.add(entry.at(), "must be the number of a version");
          }
        }
        case "logical_date" -> logicalDate = time(entry, problems);
        default ->
            problems.add(
                entry.at(), "unknown field; a trigger has params, version and logical_date");
      }
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The trigger is not valid; nothing was started.");
    }
    return new Trigger(params, version, logicalDate, key(call, body));
  }

  private static @Nullable Instant time(Node.Entry entry, Problems problems) {
    if (entry.value().value() instanceof String text) {
      try {
        var time = OffsetDateTime.parse(text).toInstant();
        if (!time.isBefore(FIRST) && !time.isAfter(LAST)) {
          return time;
        }
      } catch (DateTimeException notATime) {
        // Reported below.
      }
    }
    problems.add(entry.at(), "must be a time such as 2026-01-31T00:00:00Z");
    return null;
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
                Map.of("trigger", call.path("name"), "tenant", tenant, "body", body.value())));
  }
}
