package dev.belay.cli.client;

import dev.belay.cli.terminal.CommandFailed;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a command that follows something bears a server that does not answer: a restart is no
 * reason to give up. Counted from the first failure after the last answer. One thread only.
 */
public final class Patience {

  public static final Duration RECONNECT_MAX = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final LongSupplier ticker;
  private boolean failing;
  private long failingSince;

  /**
   * @param ticker monotonic nanoseconds
   */
  public Patience(LongSupplier ticker) {
    this.ticker = ticker;
  }

  public void reached() {
    failing = false;
  }

  /** Pauses before the next try, or throws the failure when it has lasted too long. */
  public void bear(Unreachable failure) throws CommandFailed {
    long now = ticker.getAsLong();
    if (!failing) {
      failing = true;
      failingSince = now;
    }
    if (now - failingSince > RECONNECT_MAX.toNanos()) {
      throw failure;
    }
    pause();
  }

  static void pause() throws CommandFailed {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }
}
