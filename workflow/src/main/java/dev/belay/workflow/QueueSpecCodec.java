package dev.belay.workflow;

import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.QueueSpec.KeyLimit;
import dev.belay.domain.spec.QueueSpec.KeyRate;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The stored form of what a task says about its task queue, beside the other keys of the task. */
final class QueueSpecCodec {

  private QueueSpecCodec() {}

  static void write(QueueSpec queue, Map<String, Object> json) {
    if (queue.topic() != null) {
      json.put("topic", queue.topic());
    }
    // Without a topic, no pool means the default one.
    if (queue.pool() != null
        && (queue.topic() != null || !queue.pool().equals(TaskSpec.POOL_DEFAULT))) {
      json.put("pool", queue.pool());
    }
    if (!queue.requires().isEmpty()) {
      json.put("requires", List.copyOf(queue.requires()));
    }
    Size size = queue.size();
    if (size.slots() != 1) {
      json.put("slots", size.slots());
    }
    if (size.memoryBytes() != 0) {
      json.put("memory_bytes", size.memoryBytes());
    }
    if (size.cpuMillis() != 0) {
      json.put("cpu_millis", size.cpuMillis());
    }
    KeyLimit limit = queue.concurrency();
    if (limit != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("key", limit.key().text());
      fields.put("limit", limit.limit());
      fields.put("on_conflict", limit.onConflict().name());
      json.put("concurrency", fields);
    }
    KeyRate rate = queue.rateLimit();
    if (rate != null) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("key", rate.key().text());
      fields.put("max", rate.max());
      fields.put("per", rate.per().toString());
      json.put("rate_limit", fields);
    }
  }

  static QueueSpec read(JsonFields json) {
    String topic = json.textOrNull("topic");
    String pool = json.textOrNull("pool");
    return new QueueSpec(
        topic,
        topic == null && pool == null ? TaskSpec.POOL_DEFAULT : pool,
        new TreeSet<>(json.texts("requires")),
        new Size(
            json.wholeOr("slots", 1),
            json.longOr("memory_bytes", 0),
            json.wholeOr("cpu_millis", 0)),
        json.has("concurrency") ? limit(json.fields("concurrency")) : null,
        json.has("rate_limit") ? rate(json.fields("rate_limit")) : null);
  }

  private static KeyLimit limit(JsonFields json) {
    return new KeyLimit(
        new Template(json.text("key")),
        json.whole("limit"),
        OnConflict.valueOf(json.text("on_conflict")));
  }

  private static KeyRate rate(JsonFields json) {
    return new KeyRate(
        new Template(json.text("key")), json.whole("max"), Duration.parse(json.text("per")));
  }
}
