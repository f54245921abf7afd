package dev.belay.workflow;

import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.Template;
import dev.belay.workflow.TriggerKeys.Kind;
import dev.belay.workflow.Value.Fields;
import dev.belay.workflow.tree.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the params of the triggers of one workflow against those that it declares. */
final class TriggerParams {

  private final Problems problems;
  private final ExpressionChecker expressions;
  private final Map<String, ParamSpec> declared;
  private final Set<String> names;
  private long chars;

  /**
   * @param declared those that could be read
   * @param names all that are declared
   */
  TriggerParams(
      Problems problems,
      ExpressionChecker expressions,
      Map<String, ParamSpec> declared,
      Set<String> names) {
    this.problems = problems;
    this.expressions = expressions;
    this.declared = declared;
    this.names = names;
  }

  /** The values without problems; an expression is a {@link Template}. */
  Map<String, Object> read(Fields trigger, Kind kind) {
    Map<String, Object> values = new LinkedHashMap<>();
    Fields given = trigger.find("params", Fields.class);
    boolean batch = trigger.has("batch");
    if (given != null) {
      given
          .values()
          .forEach(
              (name, value) -> {
                Object read = value(name, given, value.node(), kind, batch);
                if (read != null) {
                  values.put(name, read);
                }
              });
    }
    declared.forEach(
        (name, param) -> {
          if (param.defaultValue() == null && (given == null || !given.has(name))) {
            problems.add(
                trigger.keyAt("params"),
                "parameter '%s' has no default, so each trigger must give it: params: {%s: ...}"
                    .formatted(name, name));
          }
        });
    return values;
  }

  private @Nullable Object value(String name, Fields given, Node node, Kind kind, boolean batch) {
    ParamSpec param = declared.get(name);
    if (param == null) {
      if (!names.contains(name)) {
        unknown(name, given);
      }
      return null;
    }
    if (node instanceof Node.Scalar scalar && scalar.text().contains(TemplateParts.OPEN)) {
      count(scalar.text().length(), node);
      return template(scalar, param.type(), kind, batch);
    }
    Object value = new ParamNode(problems, "parameter '" + name + "'").read(node, param);
    if (value != null) {
      int size = CelExpressions.text(value).length();
      count(size, node);
      if (size > Params.VALUE_CHARS_MAX) {
        problems.add(
            node.at(),
            "parameter '%s' is longer than %d characters".formatted(name, Params.VALUE_CHARS_MAX));
      }
    }
    return value;
  }

  private void unknown(String name, Fields given) {
    String known =
        names.isEmpty()
            ? "; declare it under 'params' of the workflow"
            : "; known: " + String.join(", ", names);
    problems.add(
        given.keyAt(name),
        "unknown parameter %s%s"
            .formatted(
                ShapeReader.quoted(name),
                problems.takesHint() ? Suggestion.after(name, names, known) : ""));
  }

  private @Nullable Template template(
      Node.Scalar node, ParamSpec.Type type, Kind kind, boolean batch) {
    if (kind != Kind.EVENT) {
      problems.add(
          node.at(),
          "only a trigger with 'event' may have expressions in its params; give the value itself,"
              + " or let the parameter's default be an expression over 'run'");
      return null;
    }
    expressions.checkEventParam(node, type, batch);
    return new Template(node.text());
  }

  private void count(int more, Node node) {
    boolean fitted = chars <= TriggerKeys.PARAMS_CHARS_MAX;
    chars += more;
    if (fitted && chars > TriggerKeys.PARAMS_CHARS_MAX) {
      problems.add(
          node.at(),
          "the params of all triggers have more than %d characters together; make them shorter"
              .formatted(TriggerKeys.PARAMS_CHARS_MAX));
    }
  }
}
