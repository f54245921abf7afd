package dev.belay.store.reap;

import dev.belay.domain.reap.ReapSettings;
import dev.belay.store.Sql;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Whether a statement of the reaper could find anything, as of the look with which its round began.
 * What comes later is for the next round. Each answer holds once, so that a call without a look
 * before it is never spared. For the reaper's thread.
 */
final class DueLook {

  private final ReapSettings settings;
  private final Map<String, Boolean> seen = new HashMap<>();

  DueLook(ReapSettings settings) {
    this.settings = settings;
  }

  /** First of all: the look may fail. */
  void forget() {
    seen.clear();
  }

  void look(Handle handle) {
    handle
        .createQuery(Sql.named("reap/look_due"))
        .bind("pending_seconds", PostgresReap.seconds(settings.waits().pending()))
        .map(
            (row, context) -> {
              seen.put("reap/expire_deadlines", row.getBoolean("deadlines"));
              seen.put("reap/abort_overdue", row.getBoolean("deadlines"));
              seen.put("reap/replay_pending", row.getBoolean("pending"));
              seen.put("reap/expire_waits", row.getBoolean("waits"));
              return true;
            })
        .one();
  }

  boolean mayFind(String statement) {
    Boolean found = seen.remove(statement);
    return found == null || found;
  }
}
