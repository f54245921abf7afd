package dev.belay.workflow;

/**
 * A key of the workflow file or of a request.
 *
 * @param about one line for people and for the schema
 */
record FileKey(String name, Shape shape, Status status, String about) {

  enum Status {
    OPTIONAL,
    REQUIRED,
    /** Part of the format, not built yet. */
    RESERVED,
    /** Belongs to a task and makes no sense as a default. */
    TASK_ONLY,
    /** Ties a task to others of its workflow and makes no sense for a submitted one. */
    WORKFLOW_ONLY,
    /** Belongs to the submit of a single task. */
    SUBMIT_ONLY
  }

  static FileKey optional(String name, Shape shape, String about) {
    return new FileKey(name, shape, Status.OPTIONAL, about);
  }

  static FileKey required(String name, Shape shape, String about) {
    return new FileKey(name, shape, Status.REQUIRED, about);
  }

  static FileKey reserved(String name, String about) {
    return new FileKey(name, new Shape.AnyJson(), Status.RESERVED, about);
  }

  FileKey with(Status other) {
    return new FileKey(name, shape, other, about);
  }

  boolean isSupported() {
    return switch (status) {
      case OPTIONAL, REQUIRED -> true;
      case RESERVED, TASK_ONLY, WORKFLOW_ONLY, SUBMIT_ONLY -> false;
    };
  }
}
