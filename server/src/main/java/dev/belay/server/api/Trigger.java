package dev.belay.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.store.intake.IdempotencyKey;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks for when it triggers a run.
 *
 * @param version null means the latest
 */
record Trigger(
    Map<String, Object> params, @Nullable Integer version, @Nullable IdempotencyKey key) {

  private static final Set<String> FIELDS = Set.of("params", "version");

  /** Reads and checks the body; for a thread that may compute. */
  static Trigger of(Call call, byte[] bytes) {
    var body = bytes.length == 0 ? JsonNodeFactory.instance.objectNode() : JsonText.parse(bytes);
    if (!body.isObject()) {
      throw new Refused(HttpStatus.BAD_REQUEST, "The body must be a JSON object.");
    }
    var faults = new ArrayList<Map<String, Object>>();
    body.fieldNames()
        .forEachRemaining(
            name -> {
              if (!FIELDS.contains(name) && faults.size() < Storable.FAULTS_MAX) {
                faults.add(Problem.fault(name, "unknown field; a trigger has params and version"));
              }
            });
    if (body.has("params") && !body.get("params").isObject()) {
      faults.add(Problem.fault("params", "must be an object of parameters by name"));
    }
    if (body.has("version")
        && !(body.get("version").canConvertToInt() && body.get("version").isInt())) {
      faults.add(Problem.fault("version", "must be the number of a version"));
    }
    faults.addAll(Storable.faults(body, ""));
    if (!faults.isEmpty()) {
      throw new Refused(
          Problem.of(
                  HttpStatus.UNPROCESSABLE_ENTITY, "The trigger is not valid; nothing was started.")
              .withErrors(faults));
    }
    return new Trigger(
        body.has("params") ? JsonText.map(body.get("params")) : Map.of(),
        body.has("version") ? body.get("version").intValue() : null,
        key(call, body));
  }

  private static @Nullable IdempotencyKey key(Call call, JsonNode body) {
    var key = Submit.key(call);
    var tenant = call.tenant();
    return key == null
        ? null
        : new IdempotencyKey(
            tenant,
            key,
            JsonText.hash(Map.of("trigger", call.path("name"), "tenant", tenant, "body", body)));
  }
}
