package dev.belay.server.logs;

import dev.belay.domain.id.DispatchId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Refused pieces that workers will send again, for readers to know about. In memory only: workers
 * repeat refused pieces, so a restarted server learns of them again.
 */
final class WaitingLogs {

  /**
   * @param knownLength of the log at its worker
   * @param storedLength of it here
   */
  record Held(long knownLength, long storedLength, LogRefusal why) {
    long missing() {
      return Math.max(0, knownLength - storedLength);
    }
  }

  private final Map<DispatchId, Held> logs = new LinkedHashMap<>();
  private final int max;

  WaitingLogs(int max) {
    this.max = max;
  }

  synchronized void put(DispatchId dispatch, long knownLength, LogStore.Appended appended) {
    var why = appended.refusal().orElseThrow();
    if (!why.passes()) {
      return;
    }
    logs.remove(dispatch);
    logs.put(dispatch, new Held(knownLength, appended.length(), why));
    if (logs.size() > max) {
      logs.remove(logs.keySet().iterator().next());
    }
  }

  synchronized void remove(DispatchId dispatch) {
    logs.remove(dispatch);
  }

  synchronized Optional<Held> find(DispatchId dispatch) {
    return Optional.ofNullable(logs.get(dispatch));
  }
}
