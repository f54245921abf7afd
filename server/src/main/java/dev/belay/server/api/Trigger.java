package dev.belay.server.api;

import dev.belay.store.intake.IdempotencyKey;
import dev.belay.workflow.Problems;
import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Node;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's request to trigger a run.
 *
 * @param version null means the latest
 */
record Trigger(
    Map<String, @Nullable Object> params, @Nullable Integer version, @Nullable IdempotencyKey key) {

  private static final Node.Mapping NOTHING = new Node.Mapping(FieldPath.ROOT, List.of());

  /** Reads and checks the body; only for a thread that may compute. */
  static Trigger of(Call call, byte[] bytes) {
    var problems = new Problems("");
    var body = bytes.length == 0 ? NOTHING : JsonText.body(bytes, problems);
    Map<String, @Nullable Object> params = Map.of();
    Integer version = null;
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
        default -> problems.add(entry.at(), "unknown field; a trigger has params and version");
      }
    }
    if (!problems.isEmpty()) {
      throw Refused.invalid(problems.list(), "The trigger is not valid; nothing was started.");
    }
    return new Trigger(params, version, key(call, body));
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
