package dev.belay.session.gateway;

/** The answer to a Hello. */
public sealed interface Registration {

  /** The worker's row now has this session and connection. */
  record Accepted() implements Registration {}

  /**
   * Refused; nothing was written.
   *
   * @param reason for people: what happened and what to do
   * @param lastNumber the worker's highest known session number, if another session has it; else 0
   */
  record Refused(HelloRefusal why, String reason, long lastNumber) implements Registration {

    /** Refused for a field of the hello itself. */
    static Refused malformed(String reason) {
      return new Refused(HelloRefusal.MALFORMED, reason, 0);
    }

    public static Refused older(Peer peer, long lastNumber) {
      return new Refused(
          HelloRefusal.OLDER,
          "a newer process or connection of worker " + peer.worker() + " is registered",
          lastNumber);
    }

    public static Refused wrongKey(Peer peer) {
      return new Refused(
          HelloRefusal.WRONG_KEY,
          "worker %s has joined with another key. If the key in its state folder was lost, run"
                  .formatted(peer.worker())
              + letIn(peer),
          0);
    }

    public static Refused revoked(Peer peer) {
      return new Refused(
          HelloRefusal.REVOKED,
          "worker %s was revoked. To let it in again run".formatted(peer.worker()) + letIn(peer),
          0);
    }

    private static String letIn(Peer peer) {
      return " `belay workers allow %s` and start the agent again, or give it an empty state folder"
          .formatted(peer.worker());
    }

    /** True when retrying cannot help. */
    public boolean permanent() {
      return switch (why) {
        case OLDER -> false;
        case WRONG_KEY, REVOKED, MALFORMED -> true;
      };
    }
  }

  enum HelloRefusal {
    /** Another session with a higher number, or a later connection of this one, is known. */
    OLDER,
    /** The worker id belongs to another key. */
    WRONG_KEY,
    REVOKED,
    /** A field of the hello is missing or out of bounds. */
    MALFORMED
  }
}
