package dev.belay.server.logs;

import java.util.Locale;

/** Why the server did not store a piece of a log. */
public enum LogRefusal {
  /** Only the space that logs must leave free is left. */
  DISK_FULL(true, "the server's log disk is full"),
  /** All logs together reached their limit. */
  LOGS_MAX(true, "the server's logs take all the space that they may"),
  /** The disk failed in another way. */
  DISK_ERROR(true, "the server's log disk fails"),
  /** The database does not answer, so the log's owner is unknown. */
  DATABASE_AWAY(true, "the database does not answer"),
  /** So young that its row may not be visible yet. */
  NOT_YET_KNOWN(true, "the attempt is not known yet"),
  UNKNOWN_DISPATCH(false, "there is no such attempt"),
  OTHER_WORKER(false, "it is the attempt of another worker"),
  TOO_OLD(false, "the log is older than logs are kept"),
  MALFORMED(false, "the message is malformed"),
  NOT_ADMITTED(false, "the writer is not a worker that this server knows");

  private final boolean passes;
  private final String meaning;

  LogRefusal(boolean passes, String meaning) {
    this.passes = passes;
    this.meaning = meaning;
  }

  /** Whether the same piece may be stored later. */
  public boolean passes() {
    return passes;
  }

  public String meaning() {
    return meaning;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
