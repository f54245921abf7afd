package dev.belay.agent.link;

import dev.belay.agent.journal.Entry;
import dev.belay.domain.id.DispatchId;
import dev.belay.session.agent.JournalEntry;
import dev.belay.session.agent.Recovered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/** The journal's words and the session's words for the same steps. */
public final class JournalEntries {
  private JournalEntries() {}

  static Entry toJournal(JournalEntry entry) {
    return switch (entry) {
      case JournalEntry.Prepared(var id, var task) -> new Entry.Prepared(id, task);
      case JournalEntry.Started(var id, var atMs, var pid) ->
          new Entry.Started(id, Instant.ofEpochMilli(atMs), pid);
      case JournalEntry.Ended ended -> new Entry.Ended(ended.dispatch(), ended.finished());
      case JournalEntry.Settled(var id) -> new Entry.Settled(id);
    };
  }

  public static Recovered toSession(dev.belay.agent.journal.Recovered recovered, boolean complete) {
    var held = new LinkedHashMap<DispatchId, JournalEntry>();
    for (var one : recovered.unsettled()) {
      held.put(
          one.dispatch(),
          switch (one.phase()) {
            case dev.belay.agent.journal.Recovered.Preparing _ ->
                new JournalEntry.Prepared(one.dispatch(), one.task().orElseThrow());
            case dev.belay.agent.journal.Recovered.Died(var at, var pid) ->
                new JournalEntry.Started(one.dispatch(), at.toEpochMilli(), pid);
            case dev.belay.agent.journal.Recovered.Over(var finished) ->
                new JournalEntry.Ended(finished);
          });
    }
    return new Recovered(
        held, new ArrayList<>(recovered.settled()), complete, recovered.rebooted());
  }
}
