package dev.belay.agent.journal;

import dev.belay.domain.id.DispatchId;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/** The net result of all entries, which a compacted journal keeps. Not thread-safe. */
final class Ledger {

  private final int settledMax;
  private final Map<DispatchId, JournalEntry> held = new LinkedHashMap<>();
  private final SequencedSet<DispatchId> settled = new LinkedHashSet<>();

  Ledger(int settledMax) {
    this.settledMax = settledMax;
  }

  Ledger(int settledMax, Recovered recovered) {
    this(settledMax);
    recovered.settled().forEach(id -> add(new JournalEntry.Settled(id)));
    recovered.held().values().forEach(this::add);
  }

  void add(JournalEntry entry) {
    var id = entry.dispatch();
    switch (entry) {
      case JournalEntry.Prepared _ -> held.putIfAbsent(id, entry);
      case JournalEntry.Started _, JournalEntry.Ended _ -> held.put(id, entry);
      case JournalEntry.Settled _ -> {
        held.remove(id);
        settled.addLast(id);
        if (settled.size() > settledMax) {
          settled.removeFirst();
        }
      }
    }
  }

  Recovered recovered(boolean complete, boolean rebooted) {
    return new Recovered(held, List.copyOf(settled), complete, rebooted);
  }

  /** The fewest entries with the same net result, in order. */
  List<JournalEntry> entries() {
    List<JournalEntry> entries = new ArrayList<>();
    settled.forEach(id -> entries.add(new JournalEntry.Settled(id)));
    entries.addAll(held.values());
    return entries;
  }
}
