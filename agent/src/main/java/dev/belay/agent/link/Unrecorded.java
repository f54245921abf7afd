package dev.belay.agent.link;

import dev.belay.agent.state.Reserve;
import dev.belay.domain.id.DispatchId;
import dev.belay.session.agent.AgentCommand;
import dev.belay.session.agent.AgentSession;
import dev.belay.session.agent.JournalEntry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses dispatches whose beginning the journal could not record, and drops the commands that
 * depend on the record. Running tasks continue.
 *
 * @param abandon ends the process at its latch, if there is one, and forgets it; takes a reason
 */
record Unrecorded(
    AgentSession session,
    Reserve reserve,
    InstantSource clock,
    BiConsumer<DispatchId, String> abandon) {

  private static final Logger log = LoggerFactory.getLogger(Unrecorded.class);
  private static final String UNWRITABLE = "the journal cannot be written";

  /**
   * @param commands all pending commands
   * @return the commands to execute instead
   */
  List<AgentCommand> deny(List<JournalEntry> unrecorded, List<AgentCommand> commands) {
    reserve.unwritable(UNWRITABLE);
    var trouble = reserve.trouble().orElse(UNWRITABLE);
    session.trouble(trouble);
    var denied = new HashSet<DispatchId>();
    var answers = new ArrayList<AgentCommand>();
    for (var entry : unrecorded) {
      denied.add(entry.dispatch());
      answers.addAll(session.notRecorded(entry, trouble, clock.millis()));
      // A dispatch with a pending stop is not refused: the commands stop it and report its end.
      if (entry instanceof JournalEntry.Started && session.isRefused(entry.dispatch())) {
        abandon.accept(entry.dispatch(), trouble);
      }
    }
    log.atError()
        .addKeyValue("dispatches", denied.size())
        .addKeyValue("reason", trouble)
        .log("not run, because it cannot be recorded");
    var rest = new ArrayList<AgentCommand>();
    for (var command : commands) {
      if (!begins(command, denied)) {
        rest.add(command);
      }
    }
    rest.addAll(answers);
    return rest;
  }

  private static boolean begins(AgentCommand command, Set<DispatchId> denied) {
    return switch (command) {
      case AgentCommand.Prepare(var dispatch) ->
          denied.contains(DispatchId.of(dispatch.getDispatchId()));
      case AgentCommand.Open(var id) -> denied.contains(id);
      // Only the lease of a start; an extension covers other dispatches too.
      case AgentCommand.Lease(var untilNanos) -> denied.containsAll(untilNanos.keySet());
      case AgentCommand.Send(var message) ->
          message.hasStarted()
              && denied.contains(DispatchId.of(message.getStarted().getDispatchId()));
      case AgentCommand.Persist _,
          AgentCommand.Stop _,
          AgentCommand.Forget _,
          AgentCommand.ConnectAfter _,
          AgentCommand.Disconnect _,
          AgentCommand.Renumber _,
          AgentCommand.GiveUp _ ->
          false;
    };
  }
}
