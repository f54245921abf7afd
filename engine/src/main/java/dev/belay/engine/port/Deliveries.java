package dev.belay.engine.port;

import dev.belay.domain.id.WorkerId;
import dev.belay.session.gateway.MailboxEntry;
import java.util.List;

/** The shortcut from a committed claim to its worker. */
@FunctionalInterface
public interface Deliveries {

  /**
   * Sends a committed claim if this replica holds a stream of the worker; false when it does not.
   * Nothing depends on the answer: the replica that holds the stream also reads the mailbox.
   */
  boolean deliver(WorkerId worker, List<MailboxEntry> claimed);
}
