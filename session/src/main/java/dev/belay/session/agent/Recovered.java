package dev.belay.session.agent;

import dev.belay.domain.id.DispatchId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * State recovered from the journal of earlier sessions of this worker.
 *
 * @param held the last entry of each unsettled dispatch, in journal order
 * @param settled settled ids, oldest first, as far as the journal still has them
 * @param complete false when the journal may lack entries (first start, reboot, damage). It must
 *     stay false for later sessions of the same worker id: the agent does not learn when the server
 *     has resolved the last dispatch of the lost time
 * @param rebooted the machine rebooted since the last session
 */
public record Recovered(
    Map<DispatchId, JournalEntry> held,
    List<DispatchId> settled,
    boolean complete,
    boolean rebooted) {

  public Recovered {
    held = Collections.unmodifiableMap(new LinkedHashMap<>(held));
    settled = List.copyOf(settled);
  }

  /** A new worker, whose journal can be trusted. */
  public static Recovered nothing() {
    return new Recovered(Map.of(), List.of(), true, false);
  }

  /** Folds journal entries, oldest first. */
  public static Recovered replay(Iterable<? extends JournalEntry> entries, boolean complete) {
    var held = new LinkedHashMap<DispatchId, JournalEntry>();
    var settled = new LinkedHashSet<DispatchId>();
    for (var entry : entries) {
      var id = entry.dispatch();
      if (entry instanceof JournalEntry.Settled) {
        held.remove(id);
        settled.add(id);
      } else if (!settled.contains(id)) {
        held.put(id, entry);
      }
    }
    return new Recovered(held, new ArrayList<>(settled), complete, false);
  }
}
