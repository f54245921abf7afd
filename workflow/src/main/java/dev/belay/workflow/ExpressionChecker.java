package dev.belay.workflow;

import dev.belay.domain.spec.ParamSpec;
import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Place;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
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
  private final Map<String, CelValidationResult> overParams = new HashMap<>();
  private final Map<String, CelValidationResult> overRun = new HashMap<>();
  private long chars;
  private int failed;
  private boolean toldEnough;
  private @Nullable TypeChecker paramsChecker;
  private @Nullable TypeChecker runChecker;

  ExpressionChecker(Problems problems, Map<String, ParamSpec.Type> params) {
    this.problems = problems;
    this.params = params;
  }

  /** Checks the text of a task: it sees params and run, and may contain any value. */
  void checkText(Value.Text template) {
    for (TemplateParts.Part part : parts(template).parts()) {
      if (part instanceof TemplateParts.Expression expression) {
        check(template.node(), expression, true);
      }
    }
  }

  /** Checks a condition: one boolean expression. */
  void checkCondition(Value.Text template) {
    TemplateParts parts = parts(template);
    if (parts.unclosedAt() >= 0) {
      return;
    }
    if (!parts.isOneExpression()) {
      problems.add(
          template.node().at(),
          "'when' must be one expression such as \"${{ params.full }}\", not "
              + ShapeReader.quoted(template.text()));
      return;
    }
    checkResult(template.node(), parts, true, CelKind.BOOL, "'when'", "true or false");
  }

  /** Checks a parameter's default: it sees run, and a single expression must have the type. */
  void checkDefault(Node.Scalar node, ParamSpec.Type type) {
    TemplateParts parts = parts(new Value.Text(node));
    if (parts.isOneExpression()) {
      String expected = ParamValues.expected(type, List.of("the values"));
      checkResult(node, parts, false, kind(type), "the default", expected);
      return;
    }
    for (TemplateParts.Part part : parts.parts()) {
      if (part instanceof TemplateParts.Expression expression) {
        check(node, expression, false);
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
      boolean seesParams,
      CelKind expected,
      String name,
      String expectedWords) {
    TemplateParts.Expression expression = (TemplateParts.Expression) parts.parts().getFirst();
    CelValidationResult result = check(node, expression, seesParams);
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
      Node.Scalar node, TemplateParts.Expression expression, boolean seesParams) {
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
    CelValidationResult result = result(node, expression, seesParams);
    if (result == null) {
      return null;
    }
    if (result.hasError()) {
      // The parser also reports errors that follow from the first; only the first one helps.
      report(node, expression, result.getErrors().getFirst(), seesParams);
    }
    return result;
  }

  /** Null when the limit is reached. */
  private @Nullable CelValidationResult result(
      Node.Scalar node, TemplateParts.Expression expression, boolean seesParams) {
    String source = expression.source();
    String shape = ExpressionShape.of(source);
    Map<String, CelValidationResult> known = seesParams ? overParams : overRun;
    CelValidationResult result = known.getOrDefault(source, known.get(shape));
    if (result != null || isEnough(node, expression)) {
      return result;
    }
    TypeChecker checker = seesParams ? paramsChecker() : runChecker();
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
      Node.Scalar node, TemplateParts.Expression expression, CelIssue issue, boolean seesParams) {
    String source = expression.source();
    int in = offset(source, issue);
    Matcher noField = NO_FIELD.matcher(issue.getMessage());
    boolean field = noField.matches();
    String reason =
        field
            ? unknownField(noField.group(1), source.substring(0, in))
            : reason(issue.getMessage(), seesParams);
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

  private static String reason(String message, boolean seesParams) {
    Matcher undeclared = UNDECLARED.matcher(message);
    if (undeclared.matches()) {
      return unknownName(undeclared.group(1), seesParams);
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

  private static String unknownName(String name, boolean seesParams) {
    if (LATER.contains(name)) {
      return "'%s' is reserved, not supported yet; use params and run".formatted(name);
    }
    if (name.equals("params") && !seesParams) {
      return "a default cannot use params; use run";
    }
    List<String> known = seesParams ? List.of("params", "run") : List.of("run");
    return "unknown name '%s'%s"
        .formatted(name, Suggestion.after(name, known, "; known: " + String.join(", ", known)));
  }

  private TypeChecker paramsChecker() {
    if (paramsChecker == null) {
      paramsChecker = new TypeChecker(params);
    }
    return paramsChecker;
  }

  private TypeChecker runChecker() {
    if (runChecker == null) {
      runChecker = new TypeChecker(null);
    }
    return runChecker;
  }
}
