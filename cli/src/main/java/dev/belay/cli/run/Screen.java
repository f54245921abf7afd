package dev.belay.cli.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How large the terminal is; asked again now and then, because people resize windows. */
final class Screen {

  private static final Duration FRESH = Duration.ofSeconds(2);
  private static final Size USUAL = new Size(24, 80);

  private final LongSupplier ticker;
  private Size size;
  private long asked;

  record Size(int height, int width) {}

  Screen(LongSupplier ticker) {
    this(ticker, ask(USUAL));
  }

  Screen(LongSupplier ticker, Size size) {
    this.ticker = ticker;
    this.size = size;
    this.asked = ticker.getAsLong();
  }

  Size size() {
    if (ticker.getAsLong() - asked > FRESH.toNanos()) {
      size = ask(size);
      asked = ticker.getAsLong();
    }
    return size;
  }

  private static Size ask(Size last) {
    try {
      var stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(stty.getInputStream().readNBytes(64), StandardCharsets.US_ASCII);
      stty.waitFor(1, TimeUnit.SECONDS);
      var parts = answer.strip().split(" ", -1);
      int height = Integer.parseInt(parts[0]);
      int width = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
      return height > 2 && width > 20 ? new Size(height, width) : last;
    } catch (IOException | NumberFormatException e) {
      return last;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return last;
    }
  }
}
