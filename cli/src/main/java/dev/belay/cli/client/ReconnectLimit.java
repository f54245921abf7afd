package dev.belay.cli.client;

import dev.belay.cli.terminal.CommandFailed;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * How long a following command keeps retrying while the server does not answer, for example during
 * a restart. It counts from the first failure after the last answer. Not thread-safe.
 */
public final class ReconnectLimit {

  public static final Duration RECONNECT_MAX = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(250);

  /** A person gets a message about a longer silence. */
  public static final Duration TOLD_AFTER = Duration.ofSeconds(2);

  private final LongSupplier ticker;
  private final Consumer<String> tell;
  private boolean failing;
  private long failingSince;
  private String told = "";

  /**
   * @param ticker monotonic nanoseconds
   */
  public ReconnectLimit(LongSupplier ticker) {
    this(ticker, nothing -> {});
  }

  /**
   * @param tell receives each cause once, and the news that the server answers again
   */
  public ReconnectLimit(LongSupplier ticker, Consumer<String> tell) {
    this.ticker = ticker;
    this.tell = tell;
  }

  public void reached() {
    if (!told.isEmpty()) {
      var lasted = Duration.ofNanos(ticker.getAsLong() - failingSince);
      tell.accept("The server answers again, after %ds.".formatted(lasted.toSeconds()));
      told = "";
    }
    failing = false;
  }

  /** Pauses before the next attempt, or throws the failure when it has lasted too long. */
  public void bear(Unreachable failure) throws CommandFailed {
    long now = ticker.getAsLong();
    if (!failing) {
      failing = true;
      failingSince = now;
    }
    if (now - failingSince > RECONNECT_MAX.toNanos()) {
      throw failure;
    }
    if (now - failingSince >= TOLD_AFTER.toNanos() && !failure.why().equals(told)) {
      told = failure.why();
      tell.accept(
          "%s for %ds; retrying for up to %ds."
              .formatted(
                  capital(told),
                  Duration.ofNanos(now - failingSince).toSeconds(),
                  RECONNECT_MAX.toSeconds()));
    }
    pause();
  }

  private static String capital(String text) {
    return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  static void pause() throws CommandFailed {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      throw CommandFailed.interrupted();
    }
  }
}
