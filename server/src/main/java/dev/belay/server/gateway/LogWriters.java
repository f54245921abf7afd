package dev.belay.server.gateway;

import dev.belay.domain.id.SessionId;
import dev.belay.domain.id.WorkerId;
import java.util.Optional;

/** Knows workers by their keys. */
@FunctionalInterface
public interface LogWriters {

  /**
   * Empty when the writer is that worker; otherwise why not, for people.
   *
   * @throws RuntimeException when the database is away
   */
  Optional<String> refusal(WorkerId worker, SessionId session, String key);
}
