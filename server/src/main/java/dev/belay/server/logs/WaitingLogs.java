package dev.belay.server.logs;

import dev.belay.domain.id.DispatchId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was refused and will be sent again, so that a reader can be told. In memory only: a worker
 * repeats what was not stored, and so teaches a server that was started anew.
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
