package dev.belay.session.gateway;

/** What the store made of a Hello. */
public sealed interface Registration {

  /** The worker's row now names this session and connection. */
  record Accepted() implements Registration {}

  /**
   * Not taken: another process owns the id, a newer connection is registered, ...
   *
   * @param permanent true when trying again cannot help
   */
  record Refused(String reason, boolean permanent) implements Registration {}
}
