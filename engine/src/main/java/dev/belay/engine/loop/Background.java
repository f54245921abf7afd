package dev.belay.engine.loop;

import java.time.Duration;
import java.util.Optional;

/** Takes work that would keep its caller too long. */
public interface Background {

  /** Does everything at once, on the thread of the caller. */
  Background DIRECT =
      work -> {
        work.run();
        return Optional.of(Ticket.DONE);
      };

  /** Empty when there is no room; then nothing happens. The work must not throw. */
  Optional<Ticket> offer(Runnable work);

  /** One piece of work that was taken. */
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

    /** For how long it is being done now; zero before it begins and after it ended. */
    Duration ran();

    /** Never mind: not begun if it has not, interrupted and left behind if it has. */
    void abandon();
  }
}
