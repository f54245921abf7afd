package dev.belay.workflow;

import dev.belay.workflow.ExpressionLimits.Bound;
import dev.cel.common.values.CelByteString;
import java.util.Collection;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts the cost of evaluations over one scope, and ends one that exceeds a limit. For one thread.
 */
final class Meter {

  /** The meter of this thread's current evaluation. */
  static final ScopedValue<Meter> CURRENT = ScopedValue.newInstance();

  /** Reading the clock costs more than a step. */
  private static final int STEPS_BETWEEN_LOOKS = 1_000;

  /** For text inside a list or map, which is passed on but not read. */
  private static final int CHARS_PER_STEP = 8;

  private final ExpressionLimits limits;
  private final LongSupplier ticker;
  private long allUntil;
  private boolean begun;
  private long all;
  private long allChars;
  private long one;
  private long oneUntil;
  private long lookAt;

  /**
   * Ends an evaluation. An Error, because CEL treats exceptions as values: {@code true || failure}
   * is true, and {@code exists} continues with its next item.
   */
  static final class Overrun extends Error {
    private static final long serialVersionUID = 1L;

    /** Follows the expression: "took more than 2s". */
    private final String what;

    /** The limit of a whole scope: no other expression over it may run. */
    private final boolean ofAll;

    Overrun(String what, boolean ofAll) {
      super(what, null, false, false);
      this.what = what;
      this.ofAll = ofAll;
    }

    String of(String source) {
      return ofAll
          ? "the expressions of the run " + what + " together, up to ${{ " + source + " }}"
          : "${{ " + source + " }} " + what;
    }
  }

  /**
   * @param ticker CPU nanoseconds of the thread; read only from the first expression on
   */
  Meter(ExpressionLimits limits, LongSupplier ticker) {
    this.limits = limits;
    this.ticker = ticker;
  }

  /** Starts the next expression. */
  void begin() {
    long now = ticker.getAsLong();
    if (!begun) {
      begun = true;
      allUntil = now + limits.all().time().toNanos();
    }
    one = 0;
    lookAt = 0;
    oneUntil = now + limits.one().time().toNanos();
  }

  /** Call before doing the work. */
  void charge(long steps) {
    one += steps;
    all += steps;
    if (one > limits.one().steps()) {
      throw tooManySteps(limits.one(), false);
    }
    if (all > limits.all().steps()) {
      throw tooManySteps(limits.all(), true);
    }
    if (one >= lookAt) {
      lookAt = one + STEPS_BETWEEN_LOOKS;
      look();
    }
  }

  /**
   * Charges a value of an expression, in full: the library walks the whole of a list whenever a
   * function returns it, and a list may contain one value many times.
   */
  void chargeValue(Object value) {
    switch (value) {
      case String text -> charge(1 + text.length());
      case CelByteString bytes -> charge(1 + bytes.size());
      default -> chargeParts(value);
    }
  }

  private void chargeParts(Object value) {
    switch (value) {
      case String text -> charge(1 + text.length() / CHARS_PER_STEP);
      case CelByteString bytes -> charge(1 + bytes.size() / CHARS_PER_STEP);
      case Collection<?> items -> {
        charge(1);
        items.forEach(this::chargeParts);
      }
      case Map<?, ?> fields -> {
        charge(1);
        fields.values().forEach(this::chargeParts);
      }
      default -> charge(1);
    }
  }

  private static Overrun tooManySteps(Bound bound, boolean ofAll) {
    return new Overrun("took more than %d steps".formatted(bound.steps()), ofAll);
  }

  private void look() {
    long now = ticker.getAsLong();
    if (Thread.currentThread().isInterrupted() || now - oneUntil > 0) {
      throw new Overrun("took more than " + Durations.format(limits.one().time()), false);
    }
    if (now - allUntil > 0) {
      throw new Overrun("took more than " + Durations.format(limits.all().time()), true);
    }
  }

  /** Call for each stored value. */
  void chargeChars(long chars) {
    allChars += chars;
    if (allChars > limits.allChars()) {
      throw new Overrun(
          "have values of more than %d characters".formatted(limits.allChars()), true);
    }
  }
}
