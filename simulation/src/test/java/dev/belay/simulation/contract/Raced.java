package dev.belay.simulation.contract;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What two writers were answered. */
record Raced<A, B>(Answered<A> one, Answered<B> two) {

  /**
   * @param value when it did not fail
   */
  record Answered<T>(@Nullable T value, @Nullable RuntimeException failure) {

    static <T> Answered<T> by(Supplier<T> call) {
      try {
        return new Answered<>(call.get(), null);
      } catch (RuntimeException failed) {
        return new Answered<>(null, failed);
      }
    }

    private T get() {
      if (failure != null) {
        throw failure;
      }
      return Objects.requireNonNull(value);
    }
  }

  A first() {
    return one.get();
  }

  B second() {
    return two.get();
  }

  /** Null when the second did what it was asked for. */
  @Nullable RuntimeException secondFailure() {
    return two.failure();
  }
}
