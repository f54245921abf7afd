package dev.belay.domain.reap;

/** Why the leader does not trust yet what it sees. */
public enum GraceReason {
  /** It leads since a moment ago, and cannot know how long a silence was. */
  ELECTION("a new leader looks around first"),
  /** Its own beats did not reach the database for a while. */
  DATABASE_GAP("the database was out of reach"),
  /** Times in the database are older than they look, or younger. */
  CLOCK_STEP("the database's clock jumped");

  private final String text;

  GraceReason(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
