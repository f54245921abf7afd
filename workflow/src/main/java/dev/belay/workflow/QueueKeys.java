package dev.belay.workflow;

import static dev.belay.workflow.FileKey.optional;
import static dev.belay.workflow.FileKey.required;

import dev.belay.domain.queue.Placement;
import dev.belay.domain.queue.Placement.Size;
import dev.belay.domain.queue.RateLimit;
import dev.belay.domain.queue.TaskQueue;
import dev.belay.domain.queue.TaskQueue.OnConflict;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.QueueSpec.KeyLimit;
import dev.belay.domain.spec.QueueSpec.KeyRate;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.workflow.Shape.Rule;
import dev.belay.workflow.Value.Fields;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a task that decide its task queue: where it may run, what it takes there, and which
 * limits it shares with others.
 */
final class QueueKeys {

  /** A template is longer than its value. */
  private static final int KEY_TEMPLATE_CHARS_MAX = 1_000;

  private static final int LIMIT_DEFAULT = 1;
  private static final long MEMORY_MIN = 1L << 20;
  private static final long MEMORY_MAX = 1L << 50;
  private static final double CPU_MIN = 0.001;
  private static final double CPU_MAX = 100_000;
  private static final int MILLIS = 1_000;

  private static final Shape KEY = new Shape.Text(Rule.TEMPLATE, KEY_TEMPLATE_CHARS_MAX);

  static final Shape TOPIC = new Shape.Text(Rule.TOPIC, Keys.NAME_CHARS_MAX);
  static final Shape CAPABILITY = new Shape.Text(Rule.CAPABILITY, Keys.NAME_CHARS_MAX);
  static final Shape REQUIRES = new Shape.Items(CAPABILITY, 0, QueueSpec.REQUIRES_MAX, "[gpu]");

  static final Shape.Fields RESOURCES =
      new Shape.Fields(
          "'resources'",
          List.of(
              optional(
                  "memory",
                  new Shape.Bytes(MEMORY_MIN, MEMORY_MAX),
                  "Memory that it may use, with its unit."),
              optional("cpu", new Shape.Decimal(CPU_MIN, CPU_MAX), "Cores that it keeps busy.")),
          "{memory: 2GiB, cpu: 1.5}");

  static final Shape.Fields CONCURRENCY =
      new Shape.Fields(
          "'concurrency'",
          List.of(
              required("key", KEY, "Tasks of the tenant with the same key share the limit."),
              optional(
                  "limit",
                  new Shape.Whole(1, TaskQueue.Concurrency.LIMIT_MAX),
                  "How many may hold a worker at a time (default 1)."),
              optional(
                  "on_conflict",
                  new Shape.Word(Keys.words(OnConflict.values())),
                  "What happens to a task for which there is no room (default queue).")),
          "{key: import, limit: 1}");

  static final Shape.Fields RATE_LIMIT =
      new Shape.Fields(
          "'rate_limit'",
          List.of(
              required("key", KEY, "Tasks of the tenant with the same key share the rate."),
              required("max", new Shape.Whole(1, RateLimit.MAX_MAX), "How many attempts may start"),
              required(
                  "per", new Shape.Span(RateLimit.PER_MIN, RateLimit.PER_MAX), "in this time.")),
          "{key: api, max: 10, per: 1s}");

  private QueueKeys() {}

  /** The rules that a shape cannot express. */
  static void check(Fields task, Problems problems, Consumer<Value.Text> checkText) {
    for (String key : List.of("concurrency", "rate_limit")) {
      Fields limit = task.find(key, Fields.class);
      Value.Text text = limit == null ? null : limit.find("key", Value.Text.class);
      if (text != null) {
        checkText.accept(text);
        checkKey(key, text, problems);
      }
    }
    Value.Items requires = task.find("requires", Value.Items.class);
    if (requires != null) {
      SystemKeys.noneTwice("requires", requires, problems);
    }
    checkPreferredPool(task, problems);
  }

  private static void checkKey(String limit, Value.Text key, Problems problems) {
    String text = key.text();
    if (text.isBlank()) {
      problems.add(
          key.node().at(),
          "the 'key' of '%s' is empty; name what the tasks share".formatted(limit));
    } else if (new Template(text).isLiteral() && text.length() > QueueSpec.KEY_CHARS_MAX) {
      problems.add(
          key.node().at(),
          "the 'key' of '%s' has %d characters; the most is %d"
              .formatted(limit, text.length(), QueueSpec.KEY_CHARS_MAX));
    }
  }

  private static void checkPreferredPool(Fields task, Problems problems) {
    Fields labels = task.find("labels", Fields.class);
    Value.Text preferred =
        labels == null ? null : labels.find(Placement.PREFERRED_POOL, Value.Text.class);
    if (preferred == null) {
      return;
    }
    if (!Rule.NAME.pattern.matcher(preferred.text()).matches()) {
      problems.add(
          preferred.node().at(),
          "the label '%s' names a pool, so it must be %s, not %s"
              .formatted(
                  Placement.PREFERRED_POOL,
                  Rule.NAME.expected,
                  ShapeReader.quoted(preferred.text())));
      return;
    }
    String pool = task.text("pool");
    if (pool != null && !pool.equals(preferred.text())) {
      problems.add(
          preferred.node().at(),
          "the label '%s' says '%s', but 'pool' says '%s'; remove one"
              .formatted(Placement.PREFERRED_POOL, preferred.text(), pool));
    }
  }

  /** For a task without problems. */
  static QueueSpec spec(Fields task) {
    String topic = task.text("topic");
    String pool = pool(task);
    return new QueueSpec(
        topic,
        pool == null && topic == null ? TaskSpec.POOL_DEFAULT : pool,
        requires(task),
        size(task),
        limit(task.find("concurrency", Fields.class)),
        rate(task.find("rate_limit", Fields.class)));
  }

  private static @Nullable String pool(Fields task) {
    String pool = task.text("pool");
    Fields labels = task.find("labels", Fields.class);
    return pool != null || labels == null ? pool : labels.text(Placement.PREFERRED_POOL);
  }

  private static SortedSet<String> requires(Fields task) {
    SortedSet<String> requires = new TreeSet<>();
    Value.Items written = task.find("requires", Value.Items.class);
    if (written != null) {
      written.texts().forEach(capability -> requires.add(capability.text()));
    }
    return requires;
  }

  private static Size size(Fields task) {
    Fields resources = task.find("resources", Fields.class);
    long memory = resources == null ? 0 : resources.or("memory", 0L);
    double cpu = resources == null ? 0 : resources.or("cpu", 0.0);
    return new Size(task.or("slots", 1), memory, (int) Math.round(cpu * MILLIS));
  }

  private static @Nullable KeyLimit limit(@Nullable Fields written) {
    if (written == null) {
      return null;
    }
    String conflict = written.text("on_conflict");
    return new KeyLimit(
        new Template(written.or("key", "")),
        written.or("limit", LIMIT_DEFAULT),
        conflict == null
            ? OnConflict.QUEUE
            : OnConflict.valueOf(conflict.toUpperCase(Locale.ROOT)));
  }

  private static @Nullable KeyRate rate(@Nullable Fields written) {
    return written == null
        ? null
        : new KeyRate(
            new Template(written.or("key", "")),
            written.or("max", 1),
            written.or("per", RateLimit.PER_MAX));
  }
}
