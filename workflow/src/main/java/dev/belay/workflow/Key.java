package dev.belay.workflow;

/**
 * A key of the workflow file.
 *
 * @param about one line for people and for the schema
 */
record Key(String name, Shape shape, Status status, String about) {

  enum Status {
    OPTIONAL,
    REQUIRED,
    /** Part of the format, not built yet. */
    RESERVED,
    /** Belongs to a task and makes no sense as a default for all. */
    TASK_ONLY
  }

  static Key optional(String name, Shape shape, String about) {
    return new Key(name, shape, Status.OPTIONAL, about);
  }

  static Key required(String name, Shape shape, String about) {
    return new Key(name, shape, Status.REQUIRED, about);
  }

  static Key reserved(String name, String about) {
    return new Key(name, new Shape.AnyJson(), Status.RESERVED, about);
  }

  Key taskOnly() {
    return new Key(name, shape, Status.TASK_ONLY, about);
  }

  boolean isSupported() {
    return switch (status) {
      case OPTIONAL, REQUIRED -> true;
      case RESERVED, TASK_ONLY -> false;
    };
  }
}
