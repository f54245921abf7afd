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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a submitted task by the rules of the workflow file: it becomes a file with a single task,
 * each of its fields on a line of its own, so that the line of an error names the field.
 */
final class TaskDocument {

  /** Only tasks among others have these. */
  private static final Set<String> OF_WORKFLOWS = Set.of("depends_on", "trigger_rule", "when");

  private static final String HEAD = "{\"name\": \"submitted\", \"tenant\": ";
  private static final int HEAD_LINES = 2;
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

  private static String document(Map<String, JsonNode> fields, @Nullable JsonNode tenant) {
    var lines = new ArrayList<String>();
    fields.forEach((name, value) -> lines.add(JsonText.ascii(name) + ": " + JsonText.ascii(value)));
    return HEAD
        + (tenant == null ? JsonText.ascii(WorkflowSpec.DEFAULT_TENANT) : JsonText.ascii(tenant))
        + ",\n\"task\": {\n"
        + String.join(",\n", lines)
        + "\n}}\n";
  }

  private static String fieldOf(int line, List<String> names, String at) {
    if (line < HEAD_LINES) {
      return Submit.dotted(at, "tenant");
    }
    var index = line - HEAD_LINES - 1;
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
        JsonText.text(task.labels()));
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
