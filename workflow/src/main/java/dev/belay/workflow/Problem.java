package dev.belay.workflow;

import dev.belay.workflow.tree.FieldPath;
import dev.belay.workflow.tree.Place;
import dev.belay.workflow.tree.Position;

/**
 * A fault in a workflow file or a request: what is wrong, where, and how to fix it.
 *
 * @param document the file's name
 */
public record Problem(String document, Place at, String message) {

  @Override
  public String toString() {
    return switch (at) {
      case Position place ->
          "%s:%d:%d: %s".formatted(document, place.line(), place.column(), message);
      case FieldPath field -> "%s: %s".formatted(field.shown(), message);
    };
  }
}
