package dev.belay.workflow;

import dev.belay.domain.schedule.DayCalendar;
import dev.belay.domain.spec.QueueSpec;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.domain.system.DeclaredPool;
import dev.belay.domain.system.DeclaredTopic;
import dev.belay.domain.system.Tenant;
import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Place;
import dev.belay.workflow.tree.Position;
import dev.belay.workflow.tree.YamlReader;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file of a set that is applied: a workflow, or the system file ({@code kind: system}). */
public sealed interface BelayFile {

  String SYSTEM_KIND = "system";
  String NO_WORKFLOW = "this is a system file, not a workflow; `belay apply` applies it";

  /**
   * @param nameAt the place of its name; the beginning of the file, if it is not written
   * @param routes the pools and topics that its tasks name
   * @param triggers what its triggers need from outside
   */
  record Workflow(WorkflowSpec spec, Place nameAt, List<RouteUse> routes, List<TriggerUse> triggers)
      implements BelayFile {
    public Workflow {
      routes = List.copyOf(routes);
      triggers = List.copyOf(triggers);
    }
  }

  /**
   * @param kindAt the place of its kind
   * @param calendarsAt the place of its calendars; that of its kind, if it has none
   */
  record SystemFile(SystemSpec spec, Place kindAt, Place calendarsAt) implements BelayFile {
    /** For those who need a workflow. */
    public Problem noWorkflow(String fileName) {
      return new Problem(fileName, kindAt, NO_WORKFLOW);
    }
  }

  /** All problems of the file, by position; at most {@link Problems#REPORTED_MAX}. */
  record Invalid(List<Problem> problems) implements BelayFile {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /**
   * A place in a workflow file that says where tasks run.
   *
   * @param topic null means the pool alone decides
   * @param pool null means any pool of the topic
   */
  record RouteUse(@Nullable String topic, @Nullable String pool, Place at) {}

  /** A place in a workflow file at which a trigger names something. */
  record TriggerUse(Named what, String name, Place at) {
    /** What a trigger may name. */
    public enum Named {
      CALENDAR,
      WORKFLOW
    }
  }

  /**
   * @param fileName for problems, as the user knows it
   * @param valuesMax limit of values in the file, with every alias expanded
   */
  static BelayFile parse(String fileName, String text, int valuesMax) {
    Problems problems = new Problems(fileName);
    Optional<Node> read = YamlReader.read(text, valuesMax, problems::add);
    if (read.isEmpty()) {
      return new Invalid(problems.list());
    }
    Node root = read.get();
    var system = systemKind(root);
    if (system.isPresent()) {
      return system(root, system.get().at(), problems);
    }
    return switch (WorkflowFile.parse(fileName, root, problems)) {
      case Parsed.Valid(var spec) ->
          new Workflow(
              spec,
              entry(root, "name").map(name -> name.value().at()).orElse(Position.START),
              routes(root, spec),
              triggers(root));
      case Parsed.Invalid(var found) -> new Invalid(found);
    };
  }

  /** The entry that makes a file the system file. */
  static Optional<Node.Entry> systemKind(Node root) {
    return entry(root, "kind")
        .filter(
            kind -> kind.value() instanceof Node.Scalar word && word.text().equals(SYSTEM_KIND));
  }

  private static BelayFile system(Node root, Place kindAt, Problems problems) {
    Value read = new ShapeReader(problems).read(() -> "the file", root, Keys.SYSTEM);
    if (!(read instanceof Value.Fields file)) {
      return new Invalid(problems.list());
    }
    List<DayCalendar> calendars =
        new CalendarsReader(problems).read(file.find("calendars", Value.Fields.class));
    SystemKeys keys = new SystemKeys(problems);
    List<DeclaredPool> pools = keys.pools(file.find("pools", Value.Fields.class));
    List<DeclaredTopic> topics = keys.topics(file.find("topics", Value.Fields.class));
    List<Tenant> tenants = keys.tenants(file.find("tenants", Value.Fields.class));
    if (!problems.isEmpty()) {
      return new Invalid(problems.list());
    }
    return new SystemFile(
        new SystemSpec(pools, topics, tenants, calendars),
        kindAt,
        file.has("calendars") ? file.keyAt("calendars") : kindAt);
  }

  private static List<TriggerUse> triggers(Node root) {
    return items(root, "triggers").stream()
        .flatMap(
            trigger ->
                Stream.concat(
                    use(trigger, "calendar", TriggerUse.Named.CALENDAR),
                    use(trigger, "workflow", TriggerUse.Named.WORKFLOW)))
        .toList();
  }

  private static Stream<TriggerUse> use(Node trigger, String key, TriggerUse.Named what) {
    return entry(trigger, key).stream()
        .map(Node.Entry::value)
        .flatMap(
            value ->
                value instanceof Node.Scalar name
                    ? Stream.of(new TriggerUse(what, name.text(), name.at()))
                    : Stream.empty());
  }

  /** The tasks of a valid workflow are in the order of its file. */
  private static List<RouteUse> routes(Node root, WorkflowSpec spec) {
    List<Node> written =
        entry(root, "task")
            .map(task -> List.of(task.value()))
            .orElseGet(() -> items(root, "tasks"));
    Optional<Node> defaults = entry(root, "defaults").map(Node.Entry::value);
    Set<RouteUse> routes = new LinkedHashSet<>();
    for (int i = 0; i < written.size(); i++) {
      QueueSpec queue = spec.tasks().get(i).queue();
      routes.add(new RouteUse(queue.topic(), queue.pool(), routeAt(written.get(i), defaults)));
    }
    return List.copyOf(routes);
  }

  /** Where the task or the defaults say it; otherwise the task itself. */
  private static Place routeAt(Node task, Optional<Node> defaults) {
    return Stream.concat(Stream.of(task), defaults.stream())
        .flatMap(
            owner ->
                Stream.of("topic", "pool", "labels").flatMap(key -> entry(owner, key).stream()))
        .map(entry -> entry.value().at())
        .findFirst()
        .orElse(task.at());
  }

  private static List<Node> items(Node node, String name) {
    return entry(node, name)
        .map(Node.Entry::value)
        .map(list -> list instanceof Node.Sequence items ? items.items() : List.<Node>of())
        .orElse(List.of());
  }

  private static Optional<Node.Entry> entry(Node node, String name) {
    return node instanceof Node.Mapping mapping
        ? mapping.entries().stream().filter(entry -> entry.name().equals(name)).findFirst()
        : Optional.empty();
  }
}
