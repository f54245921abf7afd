package dev.belay.workflow;

import com.google.common.primitives.UnsignedLong;
import dev.belay.domain.spec.Expressions;
import dev.belay.domain.spec.SpecCache;
import dev.belay.domain.spec.Template;
import dev.cel.common.CelValidationException;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates templates with CEL. Any thread may use it, and all share the programs. Work and results
 * are bounded: an expression can fail, but cannot hang or exhaust memory.
 */
public final class CelExpressions implements Expressions {

  public static final int PROGRAMS_MAX = 2_000;

  /** A program takes about a hundred times the memory of its text. */
  private static final long PROGRAMS_CHARS_MAX = 500_000;

  /** Linux refuses a single argument or variable of 128 KiB or more. */
  public static final int RESULT_CHARS_MAX = 100_000;

  private final ExpressionLimits limits;
  private final LongSupplier ticker;
  private final SpecCache<String, List<Piece>> programs =
      new SpecCache<>(PROGRAMS_MAX, PROGRAMS_CHARS_MAX);

  private sealed interface Piece {}

  private record Literal(String text) implements Piece {}

  private record Compiled(String source, CelRuntime.Program program) implements Piece {}

  /** With the default limits but no clock, so results depend only on the input. */
  public CelExpressions() {
    this(ExpressionLimits.DEFAULT, () -> 0);
  }

  /**
   * @param ticker CPU nanoseconds of the calling thread: time spent waiting for a processor does
   *     not count
   */
  public CelExpressions(ExpressionLimits limits, LongSupplier ticker) {
    this.limits = limits;
    this.ticker = ticker;
  }

  @Override
  public Evaluation over(Scope scope) {
    return new OverVariables(
        () ->
            Map.of(
                "params",
                new FieldsValue(toCelFields(scope.params())),
                "run",
                new FieldsValue(toCelFields(scope.run()))));
  }

  /** The same over any variables, by name. */
  Evaluation over(Map<String, Object> values) {
    return new OverVariables(() -> values);
  }

  /** The value of a template, and its text once requested. */
  private static final class Known {
    final Object value;
    final long chars;
    private @Nullable String text;

    Known(Object value) {
      this.value = value;
      this.chars = charsOf(value);
    }

    String text() {
      String known = text;
      if (known == null) {
        known = CelExpressions.text(value);
        text = known;
      }
      return known;
    }

    private static long charsOf(@Nullable Object value) {
      return switch (value) {
        case String text -> text.length();
        case List<?> items -> 1 + items.stream().mapToLong(Known::charsOf).sum();
        case Map<?, ?> fields ->
            1
                + fields.entrySet().stream()
                    .mapToLong(field -> charsOf(field.getKey()) + charsOf(field.getValue()))
                    .sum();
        case null, default -> 1;
      };
    }
  }

  /** Evaluates equal templates once, and converts the scope to CEL values once. */
  private final class OverVariables implements Evaluation {
    private final Supplier<Map<String, Object>> convert;
    private final Meter meter = new Meter(limits, ticker);
    private final Map<String, Known> values = new HashMap<>();
    private @Nullable Map<String, Object> variables;

    OverVariables(Supplier<Map<String, Object>> convert) {
      this.convert = convert;
    }

    @Override
    public Object evaluate(Template template) throws ExpressionFailed {
      if (template.isLiteral()) {
        return template.text();
      }
      Known known = known(template);
      keep(known.chars, template);
      return known.value;
    }

    @Override
    public String text(Template template) throws ExpressionFailed {
      if (template.isLiteral()) {
        return template.text();
      }
      Known known = known(template);
      String text = known.text();
      if (text.length() > RESULT_CHARS_MAX) {
        throw tooLong(ShapeReader.quoted(template.text()));
      }
      keep(text.length(), template);
      return text;
    }

    private Known known(Template template) throws ExpressionFailed {
      Known known = values.get(template.text());
      if (known == null) {
        known = new Known(evaluate(pieces(template.text()), template));
        values.put(template.text(), known);
      }
      return known;
    }

    private void keep(long chars, Template template) throws ExpressionFailed {
      try {
        meter.chargeChars(chars);
      } catch (Meter.Overrun overrun) {
        throw new TooCostly(overrun.of(source(template)));
      }
    }

    private Object evaluate(List<Piece> pieces, Template template) throws ExpressionFailed {
      if (pieces.size() == 1 && pieces.getFirst() instanceof Compiled single) {
        return value(single);
      }
      StringBuilder text = new StringBuilder();
      for (Piece piece : pieces) {
        switch (piece) {
          case Literal literal -> text.append(literal.text());
          case Compiled compiled -> text.append(CelExpressions.text(value(compiled)));
        }
        if (text.length() > RESULT_CHARS_MAX) {
          throw tooLong(ShapeReader.quoted(template.text()));
        }
      }
      return text.toString();
    }

    private Object value(Compiled compiled) throws ExpressionFailed {
      meter.begin();
      try {
        return ScopedValue.where(Meter.CURRENT, meter)
            .call(() -> CelExpressions.value(compiled, variables(), meter));
      } catch (Meter.Overrun overrun) {
        throw new TooCostly(overrun.of(compiled.source().strip()));
      } catch (StackOverflowError tooDeep) {
        throw failed(compiled.source(), "it is nested too deeply");
      }
    }

    private Map<String, Object> variables() {
      Map<String, Object> known = variables;
      if (known == null) {
        known = convert.get();
        variables = known;
      }
      return known;
    }
  }

  private static String source(Template template) {
    String inside = template.text().strip();
    return inside.startsWith("${{") && inside.endsWith("}}")
        ? inside.substring(3, inside.length() - 2).strip()
        : inside;
  }

  /** The value as text: strings unchanged, everything else as JSON. */
  public static String text(Object value) {
    return value instanceof String text ? text : Json.write(value);
  }

  /** The number of cached compiled templates. */
  int programs() {
    synchronized (programs) {
      return programs.size();
    }
  }

  private List<Piece> pieces(String template) throws ExpressionFailed {
    synchronized (programs) {
      List<Piece> known = programs.get(template);
      if (known != null) {
        return known;
      }
    }
    List<Piece> compiled = compile(template);
    synchronized (programs) {
      programs.put(template, compiled, template.length());
    }
    return compiled;
  }

  private static List<Piece> compile(String template) throws ExpressionFailed {
    TemplateParts parts = TemplateParts.of(template);
    if (parts.unclosedAt() >= 0) {
      throw new ExpressionFailed("'${{' without '}}' in " + ShapeReader.quoted(template));
    }
    List<Piece> pieces = new ArrayList<>();
    for (TemplateParts.Part part : parts.parts()) {
      pieces.add(
          switch (part) {
            case TemplateParts.Text text -> new Literal(text.text());
            case TemplateParts.Expression expression -> program(expression.source());
          });
    }
    return List.copyOf(pieces);
  }

  private static Compiled program(String source) throws ExpressionFailed {
    try {
      return new Compiled(source, Cel.runtime().createProgram(Cel.parser().parse(source).getAst()));
    } catch (CelValidationException | CelEvaluationException e) {
      throw failed(source, e.getMessage());
    } catch (StackOverflowError tooDeep) {
      throw failed(source, "it is nested too deeply");
    }
  }

  private static Object value(Compiled compiled, Map<String, Object> variables, Meter meter)
      throws ExpressionFailed {
    String source = compiled.source();
    Object result;
    try {
      result = compiled.program().trace(variables, (expression, step) -> meter.chargeValue(step));
    } catch (CelEvaluationException e) {
      throw failed(source, e.getMessage());
    }
    int[] chars = {0};
    Object plain = fromCel(source, result, chars);
    if (plain == null) {
      throw failed(source, "it is null");
    }
    return plain;
  }

  /** CEL has one integer type and its own null. */
  static Object toCel(@Nullable Object value) {
    return switch (value) {
      case null -> NullValue.NULL_VALUE;
      case Integer number -> number.longValue();
      case Float number -> number.doubleValue();
      case List<?> items -> items.stream().map(CelExpressions::toCel).toList();
      case Map<?, ?> fields -> toCelFields(fields);
      default -> value;
    };
  }

  private static Map<String, Object> toCelFields(Map<?, ?> fields) {
    Map<String, Object> copy = new LinkedHashMap<>();
    fields.forEach((name, each) -> copy.put(String.valueOf(name), toCel(each)));
    return copy;
  }

  private static @Nullable Object fromCel(String source, Object value, int[] chars)
      throws ExpressionFailed {
    count(source, value instanceof String text ? text.length() : 1, chars);
    return switch (value) {
      case String text -> text;
      case Long number -> number;
      case Double number when Double.isFinite(number) -> number;
      case Boolean flag -> flag;
      case NullValue none -> null;
      case UnsignedLong number when number.bigIntegerValue().bitLength() < Long.SIZE ->
          number.longValue();
      case Instant time -> time.toString();
      case Duration duration -> Durations.format(duration);
      case List<?> items -> {
        List<@Nullable Object> plain = new ArrayList<>();
        for (Object item : items) {
          plain.add(fromCel(source, item, chars));
        }
        yield Collections.unmodifiableList(plain);
      }
      case Map<?, ?> fields -> {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
          String name = String.valueOf(field.getKey());
          count(source, name.length(), chars);
          plain.put(name, fromCel(source, field.getValue(), chars));
        }
        yield Collections.unmodifiableMap(plain);
      }
      default ->
          throw failed(source, "its value cannot be used: " + ShapeReader.quoted("" + value));
    };
  }

  private static void count(String source, int more, int[] chars) throws ExpressionFailed {
    chars[0] += more;
    if (chars[0] > RESULT_CHARS_MAX) {
      throw tooLong(ShapeReader.quoted(source.strip()));
    }
  }

  private static ExpressionFailed tooLong(String what) {
    return new ExpressionFailed(
        "%s is longer than %d characters".formatted(what, RESULT_CHARS_MAX));
  }

  private static ExpressionFailed failed(String source, @Nullable String reason) {
    String cause = String.valueOf(reason).replaceFirst("^evaluation error at [^ ]*: ", "");
    return new ExpressionFailed("${{ %s }} has no value: %s".formatted(source.strip(), cause));
  }
}
