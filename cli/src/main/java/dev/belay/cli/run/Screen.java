package dev.belay.cli.run;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.RawSignal;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The size of the terminal. Read again when the kernel reports a change, and now and then in case
 * it does not.
 */
final class Screen {

  private static final Duration FRESH = Duration.ofSeconds(2);
  private static final Size USUAL = new Size(24, 80);

  private final LongSupplier ticker;
  private final AtomicBoolean resized = new AtomicBoolean();
  private Size size;
  private long asked;

  record Size(int height, int width) {}

  /** The terminal of this process; without a known size it uses the variables. */
  static Screen of(CommandContext surroundings) {
    var fallback =
        new Size(
            number(surroundings.variable("LINES"), USUAL.height()),
            number(surroundings.variable("COLUMNS"), USUAL.width()));
    var screen = new Screen(surroundings.ticker(), ask().orElse(fallback));
    // Without it the screen notices a change a little later.
    var _ = RawSignal.handle("WINCH", () -> screen.resized.set(true));
    return screen;
  }

  Screen(LongSupplier ticker, Size size) {
    this.ticker = ticker;
    this.size = size;
    this.asked = ticker.getAsLong();
  }

  Size size() {
    if (resized.getAndSet(false) || ticker.getAsLong() - asked > FRESH.toNanos()) {
      size = ask().orElse(size);
      asked = ticker.getAsLong();
    }
    return size;
  }

  private static int number(@Nullable String text, int otherwise) {
    try {
      int number = text == null ? 0 : Integer.parseInt(text.strip());
      return number > 0 ? number : otherwise;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private static Optional<Size> ask() {
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
      return height > 0 && width > 0 ? Optional.of(new Size(height, width)) : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
