package dev.belay.agent.link;

import dev.belay.agent.journal.Journal;
import dev.belay.agent.journal.JournalUnwritable;
import dev.belay.domain.id.DispatchId;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.JournalEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal as the loop uses it: it may be unwritable for a while. Ends and settlements that it
 * could not write wait here, the last one of each dispatch; the server gets them anyway. A crash in
 * the meantime turns such an end into an unknown outcome, never into a false one.
 *
 * <p>The dispatches of this worker bound it: while an entry waits, the agent takes no new work.
 */
final class LoopJournal {

  private static final Logger log = LoggerFactory.getLogger(LoopJournal.class);

  private final Journal journal;
  private final Map<DispatchId, JournalEntry> waiting = new LinkedHashMap<>();

  LoopJournal(Journal journal) {
    this.journal = journal;
  }

  /**
   * Writes all entries that the commands persist, with one write.
   *
   * @return the entries that must precede a beginning and could not be written
   */
  List<JournalEntry> append(List<AgentCommand> commands) {
    List<JournalEntry> entries = new ArrayList<>();
    for (AgentCommand command : commands) {
      if (command instanceof AgentCommand.Persist(JournalEntry entry)) {
        entries.add(entry);
      }
    }
    return entries.isEmpty() ? List.of() : write(entries);
  }

  private List<JournalEntry> write(List<JournalEntry> entries) {
    List<JournalEntry> all = new ArrayList<>(waiting.values());
    all.addAll(entries);
    try {
      journal.append(all);
      waiting.clear();
      return List.of();
    } catch (JournalUnwritable e) {
      log.atDebug().setCause(e).log("journal unwritable");
    }
    List<JournalEntry> beginnings = new ArrayList<>();
    for (JournalEntry entry : entries) {
      switch (entry) {
        case JournalEntry.Prepared _, JournalEntry.Started _ -> beginnings.add(entry);
        case JournalEntry.Ended _, JournalEntry.Settled _ -> waiting.put(entry.dispatch(), entry);
      }
    }
    return beginnings;
  }

  /** Writes an end before the server gets it. */
  void note(JournalEntry.Ended end) {
    try {
      journal.append(List.of(end));
    } catch (JournalUnwritable e) {
      waiting.put(end.dispatch(), end);
    }
  }

  /** Writes the waiting entries when there is room again. */
  void catchUp() {
    if (!waiting.isEmpty() && write(List.of()).isEmpty() && waiting.isEmpty()) {
      log.atInfo().log("the journal is complete again");
    }
  }
}
