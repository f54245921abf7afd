package dev.belay.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.domain.spec.Action;
import dev.belay.domain.spec.TaskSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.Work;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.store.intake.NewTask;
import dev.belay.workflow.Parsed;
import dev.belay.workflow.SpecCodec;
import dev.belay.workflow.WorkflowFile;
import dev.belay.workflow.yaml.Position;
import dev.belay.workflow.yaml.YamlNode;
import dev.belay.workflow.yaml.YamlNode.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a submitted task by the rules of the workflow file: it becomes a file with a single task
 * that was never written, each of its fields on a line of its own, so that the line of an error
 * names the field.
 */
final class TaskDocument {

  /** Only tasks among others have these. */
  private static final Set<String> OF_WORKFLOWS = Set.of("depends_on", "trigger_rule", "when");

  private static final int TENANT_LINE = 1;
  private static final int FIELDS_LINE = 3;
  private static final int NAME_CHARS_MAX = 100;

  private TaskDocument() {}

  /** The task; null when it is not valid, then its faults are added. */
  static @Nullable NewTask read(ObjectNode task, String at, List<Map<String, Object>> faults) {
    var before = faults.size();
    for (var name : OF_WORKFLOWS) {
      if (task.has(name)) {
        faults.add(
            Problem.fault(
                Submit.dotted(at, name), "is only for tasks of a workflow; register a workflow"));
      }
    }
    if (faults.size() > before) {
      return null;
    }
    var fields = new LinkedHashMap<String, JsonNode>();
    task.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    var tenant = fields.remove("tenant");
    return switch (WorkflowFile.parse("submitted", document(fields, tenant))) {
      case Parsed.Valid(var spec) -> newTask(spec, task.has("name"), at, faults);
      case Parsed.Invalid(var problems) -> {
        var names = List.copyOf(fields.keySet());
        problems.forEach(
            problem ->
                faults.add(Problem.fault(fieldOf(problem.line(), names, at), problem.message())));
        yield null;
      }
    };
  }

  private static YamlNode document(Map<String, JsonNode> fields, @Nullable JsonNode tenant) {
    var entries = new ArrayList<YamlNode.Entry>();
    fields.forEach(
        (name, value) -> {
          var line = new Position(FIELDS_LINE + entries.size(), 1);
          entries.add(new YamlNode.Entry(YamlNode.Scalar.text(line, name), node(value, line)));
        });
    var head = new Position(TENANT_LINE, 1);
    var named = new ArrayList<YamlNode.Entry>();
    named.add(entry(head, "name", YamlNode.Scalar.text(head, "submitted")));
    if (tenant != null) {
      named.add(entry(head, "tenant", node(tenant, head)));
    }
    var task = new Position(FIELDS_LINE - 1, 1);
    named.add(entry(task, "task", YamlNode.Mapping.of(task, entries)));
    return YamlNode.Mapping.of(head, named);
  }

  private static YamlNode.Entry entry(Position at, String key, YamlNode value) {
    return new YamlNode.Entry(YamlNode.Scalar.text(at, key), value);
  }

  /** All of a field stands in the line of the field. */
  private static YamlNode node(JsonNode json, Position at) {
    return switch (json.getNodeType()) {
      case OBJECT -> {
        var entries = new ArrayList<YamlNode.Entry>();
        json.properties()
            .forEach(field -> entries.add(entry(at, field.getKey(), node(field.getValue(), at))));
        yield YamlNode.Mapping.of(at, entries);
      }
      case ARRAY -> {
        var items = new ArrayList<YamlNode>();
        json.forEach(item -> items.add(node(item, at)));
        yield YamlNode.Sequence.of(at, items);
      }
      case NUMBER ->
          YamlNode.Scalar.of(at, json.asText(), json.isIntegralNumber() ? Kind.INT : Kind.FLOAT);
      case BOOLEAN -> YamlNode.Scalar.of(at, json.asText(), Kind.BOOL);
      case NULL, MISSING -> YamlNode.Scalar.of(at, "null", Kind.NULL);
      case STRING, BINARY, POJO -> YamlNode.Scalar.text(at, json.asText());
    };
  }

  private static String fieldOf(int line, List<String> names, String at) {
    if (line == TENANT_LINE) {
      return Submit.dotted(at, "tenant");
    }
    var index = line - FIELDS_LINE;
    return index >= 0 && index < names.size() ? Submit.dotted(at, names.get(index)) : at;
  }

  private static @Nullable NewTask newTask(
      WorkflowSpec workflow, boolean isNamed, String at, List<Map<String, Object>> faults) {
    var task = workflow.tasks().getFirst();
    var before = faults.size();
    var argv =
        switch (task.action()) {
          case Action.Command(var templates) ->
              templates.stream()
                  .map(template -> literal(template, Submit.dotted(at, "command"), faults))
                  .toList();
          case Action.Script _ -> List.<String>of();
        };
    var script = task.action() instanceof Action.Script(var text) ? text : null;
    var env = new LinkedHashMap<String, String>();
    task.env()
        .forEach(
            (name, template) ->
                env.put(name, literal(template, Submit.dotted(at, "env." + name), faults)));
    if (faults.size() > before) {
      return null;
    }
    return new NewTask(
        workflow.tenant(),
        isNamed ? task.name() : nameFor(task, argv),
        task.priority(),
        task.pool(),
        SpecCodec.workToJson(new Work(argv, script, env, task.policy())),
        JsonText.text(task.labels()),
        task.policy().isStrict(),
        task.deadline());
  }

  private static String literal(Template template, String field, List<Map<String, Object>> faults) {
    if (!template.isLiteral()) {
      faults.add(
          Problem.fault(field, "expressions ${{ }} are only for workflows; give the value itself"));
    }
    return template.text();
  }

  /** The program's name, in the letters that names are made of. */
  private static String nameFor(TaskSpec task, List<String> argv) {
    if (task.action() instanceof Action.Script) {
      return "script";
    }
    var program = argv.getFirst();
    var name =
        program
            .substring(program.lastIndexOf('/') + 1)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9_-]", "-");
    if (name.isBlank()) {
      return "task";
    }
    return name.length() <= NAME_CHARS_MAX ? name : name.substring(0, NAME_CHARS_MAX);
  }
}
