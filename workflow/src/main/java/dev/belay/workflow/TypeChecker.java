package dev.belay.workflow;

import com.google.common.base.Optional;
import com.google.common.collect.ImmutableList;
import dev.cel.checker.CelIdentDecl;
import dev.cel.checker.Env;
import dev.cel.checker.ExprChecker;
import dev.cel.checker.TypeProvider;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelContainer;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.internal.Errors;
import dev.cel.common.types.CelProtoTypes;
import dev.cel.common.types.CelType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.expr.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of one file. The library's compiler declares all its functions again for
 * each expression, which takes ten times as long as the check itself; this class declares them
 * once. It passes an expression that it cannot accept to that compiler, which decides. For one
 * thread.
 *
 * <p>The API used here is deprecated in favour of that compiler; a test fails when it disappears.
 */
@SuppressWarnings("deprecation")
final class TypeChecker {

  private final Map<String, CelType> variables;
  private final Env env;
  private @Nullable CelCompiler compiler;
  private int checkedTwice;

  /**
   * @param variables types by name
   */
  TypeChecker(Map<String, CelType> variables) {
    this.variables = variables;
    this.env =
        Env.standard(
            new Errors("expression", ""), new Structs(Cel.structs(variables)), Cel.options());
    variables.forEach((name, type) -> env.add(CelIdentDecl.newIdentDeclaration(name, type)));
  }

  CelValidationResult check(String source) {
    try {
      CelValidationResult parsed = Cel.parser().parse(source);
      if (parsed.hasError()) {
        return parsed;
      }
      int errors = env.getErrorContext().getErrorCount();
      env.resetTypeAndRefMaps();
      CelAbstractSyntaxTree checked =
          ExprChecker.typecheck(env, CelContainer.ofName(""), parsed.getAst(), Optional.absent());
      return env.getErrorContext().getErrorCount() == errors
          ? new CelValidationResult(checked, ImmutableList.of())
          : compiler().compile(source);
    } catch (CelValidationException e) {
      throw new IllegalStateException("a result without errors has no tree", e);
    }
  }

  /** How many expressions went to the library's compiler. */
  int checkedTwice() {
    return checkedTwice;
  }

  private CelCompiler compiler() {
    checkedTwice++;
    if (compiler == null) {
      compiler = Cel.checker(variables);
    }
    return compiler;
  }

  /** The types of the variables only. */
  private record Structs(List<StructType> structs) implements TypeProvider {
    @Override
    public @Nullable Type lookupType(String name) {
      return null;
    }

    @Override
    public java.util.Optional<CelType> lookupCelType(String name) {
      return structs.stream()
          .filter(struct -> struct.name().equals(name))
          .map(CelType.class::cast)
          .findFirst();
    }

    @Override
    public @Nullable Integer lookupEnumValue(String name) {
      return null;
    }

    @Override
    public @Nullable FieldType lookupFieldType(Type type, String field) {
      return null;
    }

    @Override
    public @Nullable FieldType lookupFieldType(CelType type, String field) {
      return structs.stream()
          .filter(struct -> struct.name().equals(type.name()))
          .findFirst()
          .flatMap(struct -> struct.findField(field))
          .map(found -> FieldType.of(CelProtoTypes.celTypeToType(found.type())))
          .orElse(null);
    }
  }
}
