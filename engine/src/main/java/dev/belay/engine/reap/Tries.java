package dev.belay.engine.reap;

import dev.belay.engine.port.Deposed;
import java.util.function.Supplier;

/** Repeats a failed batch at once, a few times. */
final class Tries {

  private Tries() {}

  static <T> T of(int max, Supplier<T> batch) {
    for (int tried = 1; ; tried++) {
      try {
        return batch.get();
      } catch (Deposed deposed) {
        throw deposed;
      } catch (RuntimeException failed) {
        if (tried >= max) {
          throw failed;
        }
      }
    }
  }
}
