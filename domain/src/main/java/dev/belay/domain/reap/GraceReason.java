package dev.belay.domain.reap;

/** Why the leader does not trust a silence yet. */
public enum GraceReason {
  /** The leader was just elected and cannot know how long a silence lasted before. */
  ELECTION("a new leader looks around first"),
  /** The replica's own heartbeats did not reach the database for a while. */
  DATABASE_GAP("the database was out of reach"),
  /** Times in the database may be older or younger than they look. */
  CLOCK_STEP("the database's clock jumped");

  private final String text;

  GraceReason(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
