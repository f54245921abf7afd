package dev.belay.workflow;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.Concurrency;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a task queue, exact both ways. Equal task queues have equal texts, because
 * their hash finds them: fields have one order, and defaults are left out.
 */
public final class QueueCodec {

  private QueueCodec() {}

  public static String toJson(TaskQueue queue) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("tenant", queue.tenant());
    putIfSet(json, "workflow", queue.workflow());
    placement(queue.placement(), json);
    Concurrency concurrency = queue.concurrency();
    if (concurrency != null) {
      json.put(
          "concurrency",
          ordered(
              "key", concurrency.key(),
              "limit", concurrency.limit(),
              "on_conflict", concurrency.onConflict().name()));
    }
    RateLimit rate = queue.rateLimit();
    if (rate != null) {
      json.put(
          "rate_limit",
          ordered("key", rate.key(), "max", rate.max(), "per_ms", rate.per().toMillis()));
    }
    return Json.write(json);
  }

  private static void placement(Placement placement, Map<String, Object> json) {
    putIfSet(json, "topic", placement.topic());
    putIfSet(json, "pool", placement.pool());
    if (!placement.requires().isEmpty()) {
      json.put("requires", List.copyOf(placement.requires()));
    }
    if (!placement.constraints().isEmpty()) {
      json.put("constraints", placement.constraints());
    }
    putIfSet(json, "preferred_worker", placement.preferredWorker());
    Size size = placement.size();
    if (size.slots() != 1) {
      json.put("slots", size.slots());
    }
    if (size.memoryBytes() != 0) {
      json.put("memory_bytes", size.memoryBytes());
    }
    if (size.cpuMillis() != 0) {
      json.put("cpu_millis", size.cpuMillis());
    }
    Duration timeout = placement.executionTimeout();
    putIfSet(json, "execution_timeout_ms", timeout == null ? null : timeout.toMillis());
  }

  private static void putIfSet(Map<String, Object> json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> json = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      json.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return json;
  }

  /** Throws IllegalArgumentException when the text was not written by {@link #toJson}. */
  public static TaskQueue fromJson(String json) {
    JsonFields fields = read(json);
    return new TaskQueue(
        fields.text("tenant"),
        fields.textOrNull("workflow"),
        placement(fields),
        fields.has("concurrency") ? concurrency(fields.fields("concurrency")) : null,
        fields.has("rate_limit") ? rateLimit(fields.fields("rate_limit")) : null);
  }

  private static JsonFields read(String json) {
    try {
      return JsonFields.of(Json.read(json));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a stored task queue", e);
    }
  }

  private static Placement placement(JsonFields fields) {
    return new Placement(
        fields.textOrNull("topic"),
        fields.textOrNull("pool"),
        new TreeSet<>(fields.texts("requires")),
        fields.textMap("constraints"),
        fields.textOrNull("preferred_worker"),
        new Size(
            fields.wholeOr("slots", 1),
            fields.longOr("memory_bytes", 0),
            fields.wholeOr("cpu_millis", 0)),
        fields.has("execution_timeout_ms")
            ? Duration.ofMillis(fields.longOr("execution_timeout_ms", 0))
            : null);
  }

  private static Concurrency concurrency(JsonFields fields) {
    return new Concurrency(
        fields.text("key"), fields.whole("limit"), OnConflict.valueOf(fields.text("on_conflict")));
  }

  private static RateLimit rateLimit(JsonFields fields) {
    return new RateLimit(
        fields.text("key"), fields.whole("max"), Duration.ofMillis(fields.longOr("per_ms", 0)));
  }
}
