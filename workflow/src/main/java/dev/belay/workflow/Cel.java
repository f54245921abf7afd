package dev.belay.workflow;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.belay.domain.spec.ParamSpec;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The CEL environments. Loading the library takes some 200 ms, so each nested class initializes
 * only on first use, when a file contains an expression.
 *
 * <p>Checking a file uses typed variables. Evaluation needs only parsed expressions: the runtime
 * picks overloads by actual values, so one program serves every workflow.
 */
final class Cel {

  static final int EXPRESSION_CHARS_MAX = 4_000;
  static final int PARSE_DEPTH_MAX = 50;

  /** Building a list in CEL copies it at each step, so the time grows with the square of this. */
  static final int ITERATIONS_MAX = 1_000;

  static final List<String> RUN_FIELDS =
      List.of("id", "workflow", "tenant", "logical_date", "created_at");

  static final String EXIT_CODE = "exit_code";
  static final String REASON = "reason";
  static final String ATTEMPT = "attempt";
  static final String CATEGORY = "category";
  static final List<String> FAILURE_FIELDS = List.of(EXIT_CODE, REASON, ATTEMPT, CATEGORY);

  static final String EVENT = "event";
  static final String EVENTS = "events";

  private static final String PARAMS = "params";
  private static final String RUN = "run";

  private Cel() {}

  static CelParser parser() {
    return Parser.PARSER;
  }

  static CelRuntime runtime() {
    return Evaluator.RUNTIME;
  }

  static CelOptions options() {
    return Options.OPTIONS;
  }

  /** The variables of expressions: {@code run}, and {@code params} unless they have no types. */
  static Map<String, CelType> variables(@Nullable Map<String, ParamSpec.Type> params) {
    StructType run = struct(RUN, runTypes());
    return params == null ? Map.of(RUN, run) : Map.of(RUN, run, PARAMS, struct(PARAMS, params));
  }

  /** The variables of {@code retry.if}. */
  static Map<String, CelType> failure() {
    return Map.of(
        EXIT_CODE, SimpleType.INT,
        REASON, SimpleType.STRING,
        ATTEMPT, SimpleType.INT,
        CATEGORY, SimpleType.STRING);
  }

  /** The variable of an event trigger: the data of the event, of any type. */
  static Map<String, CelType> event() {
    return Map.of(EVENT, SimpleType.DYN);
  }

  /** The variables of an event trigger with batches: the newest event, and all of them. */
  static Map<String, CelType> events() {
    return Map.of(EVENT, SimpleType.DYN, EVENTS, ListType.create(SimpleType.DYN));
  }

  static List<StructType> structs(Map<String, CelType> variables) {
    return variables.values().stream()
        .filter(StructType.class::isInstance)
        .map(StructType.class::cast)
        .toList();
  }

  /** Checks expressions over these variables; slow, see {@link TypeChecker}. */
  static CelCompiler checker(Map<String, CelType> variables) {
    CelCompilerBuilder builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(Options.OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(new Structs(ImmutableList.copyOf(structs(variables))));
    variables.forEach(builder::addVar);
    return builder.build();
  }

  private static Map<String, ParamSpec.Type> runTypes() {
    return RUN_FIELDS.stream()
        .collect(Collectors.toMap(field -> field, f -> ParamSpec.Type.STRING));
  }

  private static StructType struct(String name, Map<String, ParamSpec.Type> types) {
    ImmutableMap<String, ParamSpec.Type> fields = ImmutableMap.copyOf(types);
    return StructType.create(
        name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)).map(Cel::type));
  }

  private static CelType type(ParamSpec.Type type) {
    return switch (type) {
      case STRING, DATE, DATETIME, ENUM -> SimpleType.STRING;
      case INT -> SimpleType.INT;
      case FLOAT -> SimpleType.DOUBLE;
      case BOOL -> SimpleType.BOOL;
      case JSON -> SimpleType.DYN;
    };
  }

  private static final class Options {
    static final CelOptions OPTIONS =
        CelOptions.current()
            .maxExpressionCodePointSize(EXPRESSION_CHARS_MAX)
            .maxParseRecursionDepth(PARSE_DEPTH_MAX)
            .comprehensionMaxIterations(ITERATIONS_MAX)
            .enableHeterogeneousNumericComparisons(true)
            .build();
  }

  private static final class Parser {
    static final CelParser PARSER =
        CelParserFactory.standardCelParserBuilder()
            .setOptions(Options.OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .build();
  }

  private static final class Evaluator {
    static final CelRuntime RUNTIME =
        CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(Options.OPTIONS)
            .setStandardFunctions(ChargedFunctions.others())
            .addFunctionBindings(ChargedFunctions.bindings())
            .build();
  }

  private record Structs(ImmutableList<StructType> structs) implements CelTypeProvider {
    @Override
    public ImmutableCollection<CelType> types() {
      return ImmutableList.copyOf(structs);
    }

    @Override
    public Optional<CelType> findType(String name) {
      return structs.stream()
          .filter(struct -> struct.name().equals(name))
          .map(CelType.class::cast)
          .findFirst();
    }
  }
}
