package dev.belay.cli.command;

import dev.belay.cli.client.ReconnectLimit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Explains a wait to a person: after two seconds, and again when the cause changes. Not
 * thread-safe.
 */
public final class WaitNotes {

  private final LongSupplier ticker;
  private final Consumer<String> tell;
  private final Map<String, Long> seenSince = new HashMap<>();
  private final Set<String> told = new HashSet<>();

  /**
   * @param ticker monotonic nanoseconds
   */
  public WaitNotes(LongSupplier ticker, Consumer<String> tell) {
    this.ticker = ticker;
    this.tell = tell;
  }

  /**
   * Takes everything that waits now.
   *
   * @param sentences by cause; each cause is printed once
   */
  public void seen(Map<String, String> sentences) {
    long now = ticker.getAsLong();
    seenSince.keySet().retainAll(sentences.keySet());
    told.retainAll(sentences.keySet());
    sentences.forEach(
        (cause, sentence) -> {
          long since = seenSince.computeIfAbsent(cause, first -> now);
          if (now - since >= ReconnectLimit.TOLD_AFTER.toNanos() && told.add(cause)) {
            tell.accept(sentence);
          }
        });
  }
}
