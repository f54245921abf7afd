package dev.belay.workflow;

import dev.belay.domain.spec.ParamSpec;
import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Place;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of one file against its parameters before anything runs. Expressions that
 * differ only in numbers and texts are checked once.
 */
final class ExpressionChecker {

  private static final Pattern UNDECLARED = Pattern.compile("undeclared reference to '([^']*)'.*");
  private static final Pattern NO_FIELD = Pattern.compile("undefined field '([^']*)'.*");
  private static final Pattern NO_OVERLOAD =
      Pattern.compile("found no matching overload for '([^']*)' applied to '([^']*)'.*");
  private static final Pattern UNEXPECTED =
      Pattern.compile(
          "(?:mismatched input|extraneous input|no viable alternative at input) ('[^']*').*");
  private static final List<String> LATER = List.of("tasks", "item");

  /** Limit of all expressions of a file that differ in more than numbers and texts. */
  static final int CHARS_MAX = 1_000_000;

  private final Problems problems;
  private final Map<String, ParamSpec.Type> params;
  private final Map<Sees, Map<String, CelValidationResult>> checked = new EnumMap<>(Sees.class);
  private final Map<Sees, TypeChecker> checkers = new EnumMap<>(Sees.class);
  private long chars;
  private int failed;
  private boolean toldEnough;

  /** The names that an expression may use. */
  private enum Sees {
    PARAMS_AND_RUN,
    RUN,
    FAILURE,
    EVENT,
    EVENTS;

    List<String> names() {
      return switch (this) {
        case PARAMS_AND_RUN -> List.of("params", "run");
        case RUN -> List.of("run");
        case FAILURE -> Cel.FAILURE_FIELDS;
        case EVENT -> List.of(Cel.EVENT);
        case EVENTS -> List.of(Cel.EVENT, Cel.EVENTS);
      };
    }

    boolean ofTasks() {
      return switch (this) {
        case PARAMS_AND_RUN, RUN -> true;
        case FAILURE, EVENT, EVENTS -> false;
      };
    }
  }

  ExpressionChecker(Problems problems, Map<String, ParamSpec.Type> params) {
    this.problems = problems;
    this.params = params;
  }

  /** Checks the text of a task: it sees params and run, and may contain any value. */
  void checkText(Value.Text template) {
    for (TemplateParts.Part part : parts(template).parts()) {
      if (part instanceof TemplateParts.Expression expression) {
        check(template.node(), expression, Sees.PARAMS_AND_RUN);
      }
    }
  }

  /** Checks the condition of a task: one boolean expression over params and run. */
  void checkWhen(Value.Text template) {
    checkCondition(template, Sees.PARAMS_AND_RUN, "'when'", "${{ params.full }}");
  }

  /** Checks the condition of retries: one boolean expression over the failure. */
  void checkRetryIf(Value.Text template) {
    checkCondition(template, Sees.FAILURE, "'if'", "${{ exit_code != 3 }}");
  }

  /** Checks the condition of a trigger: one boolean expression over the event. */
  void checkEventWhen(Value.Text template) {
    checkCondition(template, Sees.EVENT, "'when'", "${{ event.size > 0 }}");
  }

  /**
   * Checks a parameter of a trigger: a single expression must have the type.
   *
   * @param batch whether it sees the list of all events
   */
  void checkEventParam(Node.Scalar node, ParamSpec.Type type, boolean batch) {
    checkValue(node, type, batch ? Sees.EVENTS : Sees.EVENT, "the parameter");
  }

  private void checkCondition(Value.Text template, Sees sees, String name, String example) {
    TemplateParts parts = parts(template);
    if (parts.unclosedAt() >= 0) {
      return;
    }
    if (!parts.isOneExpression()) {
      problems.add(
          template.node().at(),
          "%s must be one expression such as \"%s\", not %s"
              .formatted(name, example, ShapeReader.quoted(template.text())));
      return;
    }
    checkResult(template.node(), parts, sees, CelKind.BOOL, name, "true or false");
  }

  /** Checks a parameter's default: it sees run, and a single expression must have the type. */
  void checkDefault(Node.Scalar node, ParamSpec.Type type) {
    checkValue(node, type, Sees.RUN, "the default");
  }

  private void checkValue(Node.Scalar node, ParamSpec.Type type, Sees sees, String name) {
    TemplateParts parts = parts(new Value.Text(node));
    if (parts.isOneExpression()) {
      String expected = ParamValues.expected(type, List.of("the values"));
      checkResult(node, parts, sees, kind(type), name, expected);
      return;
    }
    for (TemplateParts.Part part : parts.parts()) {
      if (part instanceof TemplateParts.Expression expression) {
        check(node, expression, sees);
      }
    }
  }

  private TemplateParts parts(Value.Text template) {
    TemplateParts parts = TemplateParts.of(template.text());
    if (parts.unclosedAt() >= 0) {
      problems.add(
          template.node().locate(parts.unclosedAt()),
          "bad expression: '${{' is not closed by '}}'");
    }
    return parts;
  }

  private void checkResult(
      Node.Scalar node,
      TemplateParts parts,
      Sees sees,
      CelKind expected,
      String name,
      String expectedWords) {
    TemplateParts.Expression expression = (TemplateParts.Expression) parts.parts().getFirst();
    CelValidationResult result = check(node, expression, sees);
    if (result == null || result.hasError()) {
      return;
    }
    try {
      CelKind kind = result.getAst().getResultType().kind();
      if (kind != expected && kind != CelKind.DYN && expected != CelKind.DYN) {
        problems.add(
            node.locate(0),
            "%s must be %s, but the expression gives %s"
                .formatted(name, expectedWords, result.getAst().getResultType().name()));
      }
    } catch (CelValidationException e) {
      throw new IllegalStateException("a result without errors has no tree", e);
    }
  }

  private static CelKind kind(ParamSpec.Type type) {
    return switch (type) {
      case STRING, DATE, DATETIME, ENUM -> CelKind.STRING;
      case INT -> CelKind.INT;
      case FLOAT -> CelKind.DOUBLE;
      case BOOL -> CelKind.BOOL;
      case JSON -> CelKind.DYN;
    };
  }

  private @Nullable CelValidationResult check(
      Node.Scalar node, TemplateParts.Expression expression, Sees sees) {
    String source = expression.source();
    if (source.isBlank()) {
      problems.add(node.locate(expression.offset()), "bad expression: it is empty");
      return null;
    }
    if (source.length() > Cel.EXPRESSION_CHARS_MAX) {
      problems.add(
          node.locate(expression.offset()),
          "bad expression: it is longer than %d characters".formatted(Cel.EXPRESSION_CHARS_MAX));
      return null;
    }
    CelValidationResult result = result(node, expression, sees);
    if (result == null) {
      return null;
    }
    if (result.hasError()) {
      // The parser also reports errors that follow from the first; only the first one helps.
      report(node, expression, result.getErrors().getFirst(), sees);
    }
    return result;
  }

  /** Null when the limit is reached. */
  private @Nullable CelValidationResult result(
      Node.Scalar node, TemplateParts.Expression expression, Sees sees) {
    String source = expression.source();
    String shape = ExpressionShape.of(source);
    Map<String, CelValidationResult> known =
        checked.computeIfAbsent(sees, first -> new HashMap<>());
    CelValidationResult result = known.getOrDefault(source, known.get(shape));
    if (result != null || isEnough(node, expression)) {
      return result;
    }
    TypeChecker checker = checkers.computeIfAbsent(sees, this::checker);
    result = checker.check(shape);
    if (!result.hasError()) {
      known.put(shape, result);
      return result;
    }
    // The text and places of a problem come from the source.
    result = checker.check(source);
    known.put(source, result);
    failed += result.hasError() ? 1 : 0;
    return result;
  }

  /** Each check costs time, so it stops at the limit or when the report is full. */
  private boolean isEnough(Node.Scalar node, TemplateParts.Expression expression) {
    chars += expression.source().length();
    if (chars > CHARS_MAX) {
      if (!toldEnough) {
        toldEnough = true;
        problems.add(
            node.locate(expression.offset()),
            "the expressions of a file may have %d characters together, those that differ only in numbers and texts counted once; here are more: use parameters, or several workflows"
                .formatted(CHARS_MAX));
      }
      return true;
    }
    return failed >= Problems.REPORTED_MAX;
  }

  private void report(
      Node.Scalar node, TemplateParts.Expression expression, CelIssue issue, Sees sees) {
    String source = expression.source();
    int in = offset(source, issue);
    Matcher noField = NO_FIELD.matcher(issue.getMessage());
    boolean field = noField.matches();
    String reason =
        field
            ? unknownField(noField.group(1), source.substring(0, in))
            : reason(issue.getMessage(), sees);
    Place at = node.locate(expression.offset() + (field ? afterDot(source, in) : in));
    problems.add(at, "bad expression: " + reason);
  }

  private static int offset(String source, CelIssue issue) {
    int lineStart = 0;
    for (int line = 1; line < issue.getSourceLocation().getLine(); line++) {
      lineStart = source.indexOf('\n', lineStart) + 1;
    }
    int left = source.codePointCount(lineStart, source.length());
    int column = Math.clamp(issue.getSourceLocation().getColumn(), 0, left);
    return source.offsetByCodePoints(lineStart, column);
  }

  private static int afterDot(String source, int dot) {
    int at = dot + 1;
    while (at < source.length() && Character.isWhitespace(source.charAt(at))) {
      at++;
    }
    return Math.min(at, source.length());
  }

  private String unknownField(String field, String before) {
    if (before.stripTrailing().endsWith("run")) {
      return "unknown field '%s' of run%s"
          .formatted(
              field,
              Suggestion.after(
                  field, Cel.RUN_FIELDS, "; known: " + String.join(", ", Cel.RUN_FIELDS)));
    }
    String known =
        params.isEmpty()
            ? "; declare it under 'params'"
            : "; known: " + String.join(", ", params.keySet());
    return "unknown parameter '%s'%s"
        .formatted(field, Suggestion.after(field, params.keySet(), known));
  }

  private static String reason(String message, Sees sees) {
    Matcher undeclared = UNDECLARED.matcher(message);
    if (undeclared.matches()) {
      return unknownName(undeclared.group(1), sees);
    }
    Matcher overload = NO_OVERLOAD.matcher(message);
    if (overload.matches()) {
      return "%s cannot take %s; convert with string(), int() or double()"
          .formatted(overload.group(1).replace("_", ""), overload.group(2));
    }
    Matcher unexpected = UNEXPECTED.matcher(message);
    if (unexpected.matches()) {
      String found = unexpected.group(1);
      return found.equals("'<EOF>'") ? "it ends too early" : found + " is not expected here";
    }
    return message;
  }

  private static String unknownName(String name, Sees sees) {
    if (LATER.contains(name) && sees.ofTasks()) {
      return "'%s' is reserved, not supported yet; use params and run".formatted(name);
    }
    if (name.equals("params") && sees == Sees.RUN) {
      return "a default cannot use params; use run";
    }
    if (name.equals(Cel.EVENTS) && sees == Sees.EVENT) {
      return "'events' is only for the params of a trigger with 'batch'; use event";
    }
    return "unknown name '%s'%s"
        .formatted(
            name,
            Suggestion.after(name, sees.names(), "; known: " + String.join(", ", sees.names())));
  }

  private TypeChecker checker(Sees sees) {
    return new TypeChecker(
        switch (sees) {
          case PARAMS_AND_RUN -> Cel.variables(params);
          case RUN -> Cel.variables(null);
          case FAILURE -> Cel.failure();
          case EVENT -> Cel.event();
          case EVENTS -> Cel.events();
        });
  }
}
