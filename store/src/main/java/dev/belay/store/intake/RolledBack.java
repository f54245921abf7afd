package dev.belay.store.intake;

/** The result of a rollback to an earlier version. */
public sealed interface RolledBack {

  /** The latest version now has the content of the earlier one. */
  record Done(Registration latest) implements RolledBack {}

  /** The workflow or this version of it does not exist. */
  record NoVersion() implements RolledBack {}
}
