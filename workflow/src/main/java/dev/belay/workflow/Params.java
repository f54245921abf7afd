package dev.belay.workflow;

import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.Expressions.Evaluation;
import dev.belay.domain.spec.Expressions.ExpressionFailed;
import dev.belay.domain.spec.ParamSpec;
import dev.belay.domain.spec.Template;
import dev.belay.domain.spec.WorkflowSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parameters of a run: the given values, in their declared types, and the defaults. */
public final class Params {

  public static final int VALUE_CHARS_MAX = 100_000;
  public static final int MESSAGES_MAX = 100;

  private Params() {}

  /** The result of resolving the parameters of a run. */
  public sealed interface Resolution {}

  /**
   * @param values String, Long, Double, Boolean, or JSON as lists and maps of those; dates and
   *     times are ISO strings. In the order of the workflow.
   */
  public record Resolved(Map<String, Object> values) implements Resolution {}

  public record Refused(List<String> messages) implements Resolution {
    public Refused {
      messages = List.copyOf(messages);
    }
  }

  /**
   * @param given text, as from a command line, or JSON values
   * @param run the facts that defaults may use
   */
  public static Resolution resolve(
      WorkflowSpec workflow,
      Map<String, ? extends @Nullable Object> given,
      Map<String, Object> run,
      Expressions expressions) {
    List<String> messages = new ArrayList<>();
    for (String name : given.keySet()) {
      if (!workflow.params().containsKey(name) && messages.size() < MESSAGES_MAX) {
        messages.add(unknown(name, workflow));
      }
    }
    Map<String, Object> values = new LinkedHashMap<>();
    Evaluation defaults = expressions.over(new Expressions.Scope(Map.of(), run));
    workflow
        .params()
        .forEach(
            (name, param) -> {
              try {
                Object raw = given.get(name);
                values.put(
                    name,
                    raw == null
                        ? defaultOf(name, param, defaults)
                        : bounded(name, checked(name, param, raw)));
              } catch (Unfit e) {
                messages.add(e.reason);
              }
            });
    return messages.isEmpty() ? new Resolved(values) : new Refused(messages);
  }

  /** Whether a default needs evaluation. */
  public static boolean computes(
      WorkflowSpec workflow, Map<String, ? extends @Nullable Object> given) {
    return workflow.params().entrySet().stream()
        .anyMatch(
            param ->
                given.get(param.getKey()) == null
                    && param.getValue().defaultValue() instanceof Template);
  }

  private static String unknown(String name, WorkflowSpec workflow) {
    String known =
        workflow.params().isEmpty()
            ? "; the workflow has no parameters"
            : "; known: " + String.join(", ", workflow.params().keySet());
    return "unknown parameter %s%s"
        .formatted(
            ShapeReader.quoted(name), Suggestion.after(name, workflow.params().keySet(), known));
  }

  private static Object checked(String name, ParamSpec param, Object raw) throws Unfit {
    return ParamValues.convert(param.type(), param.values(), raw)
        .orElseThrow(() -> unfit("", name, param, raw));
  }

  private static Object defaultOf(String name, ParamSpec param, Evaluation defaults) throws Unfit {
    Object value = param.defaultValue();
    if (value == null) {
      throw new Unfit(
          "parameter '%s' is missing; it must be %s"
              .formatted(name, ParamValues.expected(param.type(), param.values())));
    }
    if (!(value instanceof Template template)) {
      return value;
    }
    try {
      Object computed = defaults.evaluate(template);
      Optional<Object> converted =
          ParamValues.convertComputed(param.type(), param.values(), computed);
      return bounded(
          name, converted.orElseThrow(() -> unfit("the default of ", name, param, computed)));
    } catch (ExpressionFailed e) {
      throw new Unfit("the default of parameter '%s': %s".formatted(name, e.getMessage()));
    }
  }

  private static Object bounded(String name, Object value) throws Unfit {
    if (CelExpressions.text(value).length() > VALUE_CHARS_MAX) {
      throw new Unfit(
          "parameter '%s' is longer than %d characters".formatted(name, VALUE_CHARS_MAX));
    }
    return value;
  }

  private static Unfit unfit(String prefix, String name, ParamSpec param, Object raw) {
    return new Unfit(
        "%sparameter '%s' must be %s, not %s"
            .formatted(
                prefix,
                name,
                ParamValues.expected(param.type(), param.values()),
                ShapeReader.quoted(String.valueOf(raw))));
  }

  /** Becomes a message; never leaves this class. */
  private static final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;
    private final String reason;

    Unfit(String reason) {
      super(reason, null, false, false);
      this.reason = reason;
    }
  }
}
