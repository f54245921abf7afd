package dev.belay.workflow.tree;

/** The place of a value: in a line of a file, or in a field of a request. */
public sealed interface Place permits Position, FieldPath {

  /** Rises from the beginning of the document to its end. */
  long order();

  /** The place of the character at this offset of the value's text; this place, if unknown. */
  default Place within(String text, int offset) {
    return this;
  }

  /** For people: follows "it is already on ". */
  String shown();
}
