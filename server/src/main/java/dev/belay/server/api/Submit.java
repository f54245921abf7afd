package dev.belay.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpStatus;
import dev.belay.store.intake.Batch;
import dev.belay.store.intake.IdempotencyKey;
import dev.belay.store.intake.NewTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The body of a submit: one task, or many.
 *
 * @param batches in the order given
 */
record Submit(List<Batch> batches, boolean isBulk) {

  static final String KEY_HEADER = "idempotency-key";
  private static final int KEY_CHARS_MAX = 255;
  private static final int ERRORS_MAX = 100;

  Submit {
    batches = List.copyOf(batches);
  }

  static Submit of(Call call, byte[] bytes, int tasksMax) {
    var headerKey = key(call);
    var body = JsonText.parse(bytes);
    if (!(body instanceof ObjectNode object)) {
      throw new Refused(HttpStatus.BAD_REQUEST, "The body must be a JSON object.");
    }
    var faults = new ArrayList<Map<String, Object>>();
    var isBulk = object.has("tasks");
    var tasks = isBulk ? bulk(object, tasksMax, faults) : List.<JsonNode>of(object);
    var read = new ArrayList<Batch>();
    for (int i = 0; i < tasks.size() && faults.size() < ERRORS_MAX; i++) {
      var batch = batch(tasks.get(i), isBulk ? "tasks[" + i + "]" : "", faults);
      if (batch != null) {
        read.add(batch);
      }
    }
    if (headerKey != null) {
      refuseMixture(read, faults);
    }
    if (!faults.isEmpty()) {
      throw new Refused(
          Problem.of(
                  HttpStatus.UNPROCESSABLE_ENTITY, "The submit is not valid; nothing was stored.")
              .withErrors(faults));
    }
    return new Submit(
        headerKey == null ? read : List.of(together(headerKey, read, object)), isBulk);
  }

  /** The Idempotency-Key of a request; null when it has none. */
  static @Nullable String key(Call call) {
    var key = call.header(KEY_HEADER);
    if (key != null && !isKey(key)) {
      throw new Refused(
          HttpStatus.BAD_REQUEST,
          "The header Idempotency-Key must have 1 to " + KEY_CHARS_MAX + " printable characters.");
    }
    return key;
  }

  private static List<JsonNode> bulk(
      ObjectNode body, int tasksMax, List<Map<String, Object>> faults) {
    body.fieldNames()
        .forEachRemaining(
            name -> {
              if (!name.equals("tasks")) {
                faults.add(
                    Problem.fault(name, "does not belong beside tasks; put it into each task"));
              }
            });
    var tasks = body.get("tasks");
    if (!tasks.isArray() || tasks.isEmpty() || tasks.size() > tasksMax) {
      faults.add(Problem.fault("tasks", "must be a list of 1 to " + tasksMax + " tasks"));
      return List.of();
    }
    var list = new ArrayList<JsonNode>();
    tasks.forEach(list::add);
    return list;
  }

  private static @Nullable Batch batch(JsonNode json, String at, List<Map<String, Object>> faults) {
    var before = faults.size();
    if (!(json instanceof ObjectNode task)) {
      faults.add(Problem.fault(at, "must be an object"));
      return null;
    }
    faults.addAll(Storable.faults(task, at));
    var key = task.get("idempotency_key");
    if (key != null && !(key.isTextual() && isKey(key.textValue()))) {
      faults.add(
          Problem.fault(
              dotted(at, "idempotency_key"),
              "must be a text of 1 to " + KEY_CHARS_MAX + " printable characters"));
    }
    if (faults.size() > before) {
      return null;
    }
    var work = task.deepCopy();
    work.remove("idempotency_key");
    var read = TaskDocument.read(work, at, faults);
    return read == null
        ? null
        : new Batch(
            key == null ? null : new IdempotencyKey(read.tenant(), key.textValue(), hash(work)),
            List.of(read));
  }

  /**
   * One key for all: then they have one tenant, in which the key is unique, and no keys of their
   * own.
   */
  private static void refuseMixture(List<Batch> batches, List<Map<String, Object>> faults) {
    if (batches.stream().anyMatch(batch -> batch.key() != null)) {
      faults.add(
          Problem.fault("idempotency_key", "give it either as a header or in the tasks, not both"));
    }
    if (batches.stream().map(batch -> batch.tasks().getFirst().tenant()).distinct().count() > 1) {
      faults.add(
          Problem.fault("tenant", "must be the same in all tasks under one Idempotency-Key"));
    }
  }

  private static Batch together(String key, List<Batch> batches, ObjectNode body) {
    var tasks = new ArrayList<NewTask>();
    batches.forEach(batch -> tasks.addAll(batch.tasks()));
    return new Batch(new IdempotencyKey(tasks.getFirst().tenant(), key, hash(body)), tasks);
  }

  private static String hash(ObjectNode request) {
    return JsonText.hash(Map.of("submit", request));
  }

  private static boolean isKey(String key) {
    return !key.isEmpty()
        && key.length() <= KEY_CHARS_MAX
        && key.chars().allMatch(c -> c >= ' ' && c <= '~');
  }

  static String dotted(String at, String field) {
    return at.isEmpty() ? field : at + "." + field;
  }
}
