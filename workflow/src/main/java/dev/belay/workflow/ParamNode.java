package dev.belay.workflow;

import dev.belay.domain.spec.ParamSpec;
import dev.belay.workflow.tree.Node;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the value that a file gives a parameter.
 *
 * @param what the value in messages: "the default"
 */
record ParamNode(Problems problems, String what) {

  /** The value in its type; null when it does not fit. Not for expressions. */
  @Nullable Object read(Node node, ParamSpec param) {
    refuseInnerExpressions(node);
    Optional<Object> converted =
        Optional.ofNullable(node.value())
            .flatMap(
                value ->
                    param.type() == ParamSpec.Type.JSON
                        ? ParamValues.plain(value, 0)
                        : ParamValues.convert(param.type(), param.values(), value));
    if (converted.isEmpty()) {
      problems.add(
          node.at(),
          "%s must be %s, because the type is '%s'"
              .formatted(
                  what,
                  ParamValues.expected(param.type(), param.values()),
                  ParamValues.word(param.type())));
    }
    return converted.orElse(null);
  }

  private void refuseInnerExpressions(Node node) {
    switch (node) {
      case Node.Scalar scalar -> {
        if (scalar.text().contains(TemplateParts.OPEN)) {
          problems.add(
              scalar.at(),
              "an expression must be the whole of %s, not a part of it".formatted(what));
        }
      }
      case Node.Sequence(_, var items) -> items.forEach(this::refuseInnerExpressions);
      case Node.Mapping(_, var entries) ->
          entries.forEach(entry -> refuseInnerExpressions(entry.value()));
    }
  }
}
