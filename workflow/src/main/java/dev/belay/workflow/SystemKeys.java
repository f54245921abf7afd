package dev.belay.workflow;

import static dev.belay.workflow.FileKey.optional;
import static dev.belay.workflow.FileKey.required;

import dev.belay.domain.routing.Pool;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import dev.belay.domain.system.Tenant.SubmitRate;
import dev.belay.workflow.Shape.Rule;
import dev.belay.workflow.Value.Fields;
import dev.belay.workflow.tree.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Pools, topics and tenants, as the system file and requests write them. */
public final class SystemKeys {

  static final int POOLS_MAX = 1_000;
  static final int TOPICS_MAX = 10_000;
  static final int TENANTS_MAX = 10_000;

  private static final Shape NAME = new Shape.Text(Rule.NAME, Keys.NAME_CHARS_MAX);
  private static final FileKey DESCRIPTION =
      optional("description", new Shape.Text(Rule.FREE, Keys.TEXT_CHARS_MAX), "What it is for.");

  static final Shape.Fields POOL =
      new Shape.Fields(
          "a pool",
          List.of(
              DESCRIPTION,
              optional(
                  "state",
                  new Shape.Word(Keys.words(Pool.State.values())),
                  "Whether tasks may start in it (default active)."),
              optional(
                  "slots",
                  new Shape.Whole(1, DeclaredPool.SLOTS_MAX),
                  "How many slots its tasks may hold together (default: those of its workers)."),
              optional(
                  "capabilities",
                  new Shape.Items(QueueKeys.CAPABILITY, 0, DeclaredPool.CAPABILITIES_MAX, "[gpu]"),
                  "What each of its workers has."),
              optional(
                  "strategy",
                  new Shape.Word(Keys.words(Pool.Strategy.values())),
                  "Spread tasks over its workers, or pack them on few (default spread).")),
          "{description: machines with a GPU, capabilities: [gpu]}");

  static final Shape.Fields TOPIC =
      new Shape.Fields(
          "a topic",
          List.of(
              DESCRIPTION,
              required(
                  "pools",
                  new Shape.Items(NAME, 1, DeclaredTopic.POOLS_MAX, "[default]"),
                  "The pools that may run its tasks.")),
          "{pools: [default]}");

  private static final Shape.Fields SUBMIT_RATE =
      new Shape.Fields(
          "'submit_rate'",
          List.of(
              required(
                  "max", new Shape.Whole(1, SubmitRate.MAX_MAX), "How many tasks may be submitted"),
              required(
                  "per", new Shape.Span(SubmitRate.PER_MIN, SubmitRate.PER_MAX), "in this time.")),
          "{max: 100, per: 1s}");

  static final Shape.Fields TENANT =
      new Shape.Fields(
          "a tenant",
          List.of(
              DESCRIPTION,
              optional(
                  "weight",
                  new Shape.Whole(1, Tenant.WEIGHT_MAX),
                  "Its share of the workers while others wait, too (default 1)."),
              optional(
                  "max_running",
                  new Shape.Whole(0, Tenant.TASKS_MAX),
                  "How many of its tasks may hold a worker at a time (default: no limit)."),
              optional(
                  "max_waiting",
                  new Shape.Whole(0, Tenant.TASKS_MAX),
                  "A submit is refused while so many of its tasks wait (default: no limit)."),
              optional(
                  "submit_rate", SUBMIT_RATE, "A faster submit is refused (default: no limit).")),
          "{weight: 2, max_running: 100}");

  private final Problems problems;

  public SystemKeys(Problems problems) {
    this.problems = problems;
  }

  /** The declared pool; null when it has problems. */
  public @Nullable DeclaredPool pool(String name, Node written) {
    Fields fields = read(name, Rule.NAME, written, POOL);
    DeclaredPool pool = fields == null ? null : pool(name, fields);
    return problems.isEmpty() ? pool : null;
  }

  /** The declared topic; null when it has problems. */
  public @Nullable DeclaredTopic topic(String name, Node written) {
    Fields fields = read(name, Rule.TOPIC, written, TOPIC);
    DeclaredTopic topic = fields == null ? null : topic(name, fields);
    return problems.isEmpty() ? topic : null;
  }

  /** The declared tenant; null when it has problems. */
  public @Nullable Tenant tenant(String name, Node written) {
    Fields fields = read(name, Rule.NAME, written, TENANT);
    Tenant tenant = fields == null ? null : tenant(name, fields);
    return problems.isEmpty() ? tenant : null;
  }

  private @Nullable Fields read(String name, Rule rule, Node written, Shape.Fields shape) {
    if (!rule.pattern.matcher(name).matches()) {
      problems.add(
          written.at(),
          "the name %s must be %s".formatted(ShapeReader.quoted(name), rule.expected));
    }
    return (Fields) new ShapeReader(problems).read(shape::where, written, shape);
  }

  List<DeclaredPool> pools(@Nullable Fields all) {
    List<DeclaredPool> pools = new ArrayList<>();
    if (all != null) {
      all.values().forEach((name, pool) -> pools.add(pool(name, (Fields) pool)));
    }
    return pools;
  }

  List<DeclaredTopic> topics(@Nullable Fields all) {
    List<DeclaredTopic> topics = new ArrayList<>();
    if (all != null) {
      all.values().forEach((name, topic) -> topics.add(topic(name, (Fields) topic)));
    }
    return topics;
  }

  List<Tenant> tenants(@Nullable Fields all) {
    List<Tenant> tenants = new ArrayList<>();
    if (all != null) {
      all.values().forEach((name, tenant) -> tenants.add(tenant(name, (Fields) tenant)));
    }
    return tenants;
  }

  private DeclaredPool pool(String name, Fields pool) {
    String state = pool.text("state");
    String strategy = pool.text("strategy");
    return new DeclaredPool(
        name,
        pool.text("description"),
        state == null ? Pool.State.ACTIVE : Pool.State.valueOf(constant(state)),
        pool.orNull("slots"),
        distinct(pool, "capabilities"),
        strategy == null ? Pool.Strategy.SPREAD : Pool.Strategy.valueOf(constant(strategy)));
  }

  private DeclaredTopic topic(String name, Fields topic) {
    return new DeclaredTopic(name, topic.text("description"), distinct(topic, "pools"));
  }

  private static Tenant tenant(String name, Fields tenant) {
    Fields rate = tenant.find("submit_rate", Fields.class);
    return new Tenant(
        name,
        tenant.text("description"),
        tenant.or("weight", Tenant.WEIGHT_DEFAULT),
        tenant.orNull("max_running"),
        tenant.orNull("max_waiting"),
        rate == null
            ? null
            : new SubmitRate(rate.or("max", 1), rate.or("per", SubmitRate.PER_MAX)));
  }

  private SortedSet<String> distinct(Fields fields, String key) {
    SortedSet<String> texts = new TreeSet<>();
    Value.Items items = fields.find(key, Value.Items.class);
    if (items != null) {
      noneTwice(key, items, problems);
      items.texts().forEach(item -> texts.add(item.text()));
    }
    return texts;
  }

  /** Reports each text that a list has more than once. */
  static void noneTwice(String key, Value.Items items, Problems problems) {
    Set<String> seen = new HashSet<>();
    for (Value.Text item : items.texts()) {
      if (!seen.add(item.text())) {
        problems.add(
            item.node().at(),
            "'%s' is listed twice in '%s'; remove one".formatted(item.text(), key));
      }
    }
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT);
  }
}
