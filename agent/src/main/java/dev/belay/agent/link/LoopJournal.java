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
 * The journal as the loop uses it: it may be unwritable for a while. Ends and settlements that
 * could not be written wait here, the last one of each dispatch; they are told to the server all
 * the same. A crash meanwhile makes of an end an outcome that nobody knows, never a false one.
 *
 * <p>Bounded by what this worker holds: nothing new is taken while something waits.
 */
final class LoopJournal {

  private static final Logger log = LoggerFactory.getLogger(LoopJournal.class);

  private final Journal journal;
  private final Map<DispatchId, JournalEntry> waiting = new LinkedHashMap<>();

  LoopJournal(Journal journal) {
    this.journal = journal;
  }

  /**
   * Writes all that they ask to persist with one write.
   *
   * @return what was to be in the journal before something begins, and is not
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

  /** An end that is known before it is told. */
  void note(JournalEntry.Ended end) {
    try {
      journal.append(List.of(end));
    } catch (JournalUnwritable e) {
      waiting.put(end.dispatch(), end);
    }
  }

  /** There is room again. */
  void catchUp() {
    if (!waiting.isEmpty() && write(List.of()).isEmpty() && waiting.isEmpty()) {
      log.atInfo().log("the journal is complete again");
    }
  }
}
