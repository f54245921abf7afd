package dev.belay.engine.port;

import dev.belay.domain.id.WorkerId;
import dev.belay.session.gateway.MailboxEntry;
import java.util.List;

/** The short way from a committed claim to the worker. */
@FunctionalInterface
public interface Deliveries {

  /**
   * Sends what was committed, if this replica holds a stream of the worker; false when it does not.
   * Nothing depends on the answer: whoever holds the worker reads its mailbox too.
   */
  boolean deliver(WorkerId worker, List<MailboxEntry> claimed);
}
