package dev.belay.workflow.tree;

/** Where a value stands: in a line of a file, or in a field of a request. */
public sealed interface Place permits Position, FieldPath {

  /** Grows from the beginning of the document to its end. */
  long order();

  /** Where the character at this offset of the value's text stands; here, if that is unknown. */
  default Place within(String text, int offset) {
    return this;
  }

  /** For people: follows "it is already on ". */
  String shown();
}
