package dev.belay.workflow;

import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.Template;
import dev.belay.workflow.Value.Fields;
import dev.belay.workflow.tree.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the declared parameters and checks their defaults. */
final class ParamsReader {

  /** CEL words that cannot follow {@code params.}. */
  private static final Set<String> CEL_WORDS = Set.of("in", "true", "false", "null");

  private final @Nullable Fields params;
  private final Problems problems;
  private final ExpressionChecker expressions;

  ParamsReader(@Nullable Fields params, Problems problems) {
    this.params = params;
    this.problems = problems;
    this.expressions = new ExpressionChecker(problems, types());
  }

  ExpressionChecker expressions() {
    return expressions;
  }

  /** All declared names, also of parameters that could not be read. */
  Set<String> names() {
    return params == null ? Set.of() : params.written().keySet();
  }

  Map<String, ParamSpec> read() {
    Map<String, ParamSpec> specs = new LinkedHashMap<>();
    if (params == null) {
      return specs;
    }
    params
        .values()
        .forEach(
            (name, value) -> {
              if (CEL_WORDS.contains(name)) {
                problems.add(
                    params.keyAt(name),
                    "'%s' is a word of the expression language; use another name".formatted(name));
              }
              ParamSpec spec = param((Fields) value);
              if (spec != null) {
                specs.put(name, spec);
              }
            });
    return specs;
  }

  /** A parameter with an unreadable type has any type: it is already reported. */
  private Map<String, ParamSpec.Type> types() {
    Map<String, ParamSpec.Type> types = new LinkedHashMap<>();
    if (params != null) {
      params.written().keySet().forEach(name -> types.put(name, ParamSpec.Type.JSON));
      params
          .values()
          .forEach(
              (name, value) -> {
                String type = ((Fields) value).text("type");
                if (type != null) {
                  types.put(name, typeOf(type));
                }
              });
    }
    return types;
  }

  private @Nullable ParamSpec param(Fields param) {
    String word = param.text("type");
    if (word == null) {
      return null;
    }
    ParamSpec.Type type = typeOf(word);
    List<String> values = values(param, type);
    Value.Any written = param.find("default", Value.Any.class);
    return new ParamSpec(
        type, written == null ? null : defaultValue(written.node(), type, values), values);
  }

  private List<String> values(Fields param, ParamSpec.Type type) {
    Value.Items values = param.find("values", Value.Items.class);
    if (type == ParamSpec.Type.ENUM && !param.has("values")) {
      problems.add(
          param.node().at(),
          "'values' is missing in an enum; it must be a list such as [full, daily]");
    }
    if (type != ParamSpec.Type.ENUM && param.has("values")) {
      problems.add(
          param.keyAt("values"),
          "'values' is only for 'type: enum', not for '%s'".formatted(ParamValues.word(type)));
    }
    return values == null ? List.of() : values.texts().stream().map(Value.Text::text).toList();
  }

  private @Nullable Object defaultValue(Node node, ParamSpec.Type type, List<String> values) {
    if (node instanceof Node.Scalar scalar && scalar.text().contains(TemplateParts.OPEN)) {
      expressions.checkDefault(scalar, type);
      return new Template(scalar.text());
    }
    return new ParamNode(problems, "the default").read(node, new ParamSpec(type, null, values));
  }

  private static ParamSpec.Type typeOf(String word) {
    return ParamSpec.Type.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
