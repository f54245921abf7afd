package dev.belay.session.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.TaskId;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyncTest {
  private static final SessionId MINE = new SessionId(new UUID(4, 2));
  private static final SessionId OLDER = new SessionId(new UUID(4, 1));

  @ParameterizedTest(name = "{0} session, db {1}, agent {2}, journal {3}: {4}")
  @CsvSource(
      textBlock =
          """
          # session, database,   agent,     journal,    decision
          mine,      DISPATCHED, -,         complete,   ASSIGN
          mine,      DISPATCHED, -,         incomplete, ASSIGN
          mine,      DISPATCHED, PREPARING, complete,   ASSIGN
          mine,      DISPATCHED, RUNNING,   complete,   AWAIT_START
          mine,      DISPATCHED, DIED,      complete,   LOST_WORKER_RESTARTED
          mine,      RUNNING,    -,         complete,   LOST_NOT_REPORTED
          mine,      RUNNING,    PREPARING, complete,   LEAVE
          mine,      RUNNING,    RUNNING,   complete,   LEAVE
          mine,      RUNNING,    DIED,      complete,   LOST_WORKER_RESTARTED
          older,     DISPATCHED, -,         complete,   REBIND
          older,     DISPATCHED, -,         incomplete, LOST_WORKER_RESTARTED
          older,     DISPATCHED, PREPARING, complete,   REBIND
          older,     DISPATCHED, PREPARING, incomplete, LOST_WORKER_RESTARTED
          older,     DISPATCHED, RUNNING,   complete,   LOST_WORKER_RESTARTED
          older,     DISPATCHED, DIED,      complete,   LOST_WORKER_RESTARTED
          older,     RUNNING,    -,         complete,   LOST_WORKER_RESTARTED
          older,     RUNNING,    -,         incomplete, LOST_WORKER_RESTARTED
          older,     RUNNING,    PREPARING, complete,   LOST_WORKER_RESTARTED
          older,     RUNNING,    RUNNING,   complete,   LOST_WORKER_RESTARTED
          older,     RUNNING,    adopted,   complete,   REBIND
          older,     DISPATCHED, adopted,   incomplete, REBIND
          mine,      DISPATCHED, adopted,   complete,   AWAIT_START
          mine,      RUNNING,    adopted,   complete,   LEAVE
          older,     RUNNING,    DIED,      complete,   LOST_WORKER_RESTARTED
          """)
  void what_is_done_follows_from_both_sides(
      String session,
      MailboxEntry.State state,
      String phase,
      String journal,
      Sync.Decision decision) {
    var entry =
        new MailboxEntry(
            new TaskId(new UUID(1, 1)),
            new DispatchId(new UUID(2, 1)),
            session.equals("mine") ? MINE : OLDER,
            state,
            null,
            Optional.empty());
    assertThat(Sync.decide(entry, held(phase), MINE, journal.equals("complete")))
        .isEqualTo(decision);
  }

  private static Known.@Nullable Open held(String phase) {
    return switch (phase) {
      case "-" -> null;
      case "PREPARING" -> new Known.Preparing(false, false);
      case "DIED" -> new Known.Died();
      default -> new Known.Running(Known.Start.UNTOLD, 0, phase.equals("adopted"), false);
    };
  }
}
