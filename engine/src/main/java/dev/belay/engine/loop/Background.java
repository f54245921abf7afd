package dev.belay.engine.loop;

import java.time.Duration;
import java.util.Optional;

/** Runs work that would block its caller for too long. */
public interface Background {

  /** Runs everything at once on the caller's thread. */
  Background DIRECT =
      work -> {
        work.run();
        return Optional.of(Ticket.DONE);
      };

  /** Does nothing and returns empty when there is no room. The work must not throw. */
  Optional<Ticket> offer(Runnable work);

  /** One accepted piece of work. */
  interface Ticket {

    Ticket DONE =
        new Ticket() {
          @Override
          public Duration ran() {
            return Duration.ZERO;
          }

          @Override
          public void abandon() {}
        };

    /** How long it has been running; zero before it begins and after it ended. */
    Duration ran();

    /** Drops work that has not begun; interrupts and leaves behind work that has. */
    void abandon();
  }
}
