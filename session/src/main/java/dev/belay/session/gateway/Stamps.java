package dev.belay.session.gateway;

/** The times in one message of an agent, by the database's clock. */
@FunctionalInterface
public interface Stamps {

  /** As the agent told them. */
  Stamps AS_TOLD = (stampMs, lastMs) -> stampMs;

  /**
   * @param lastMs the last time that this result names, by the same clock: its message was sent
   *     then, or later
   * @return 0 when the time is unknown
   */
  long of(long stampMs, long lastMs);
}
