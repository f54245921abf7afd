package dev.belay.workflow;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression of a user, measured before it is compiled. The library compiles repetitions
 * by copying, and works by recursion: {@code (a?){900}b} overflows the stack, {@code
 * ((a{999}){999}){999}} fills the memory.
 *
 * <p>{@link RegexReader} reads the expression and writes it again in a form that has only one
 * reading: each character that means itself is escaped, and each part that is repeated is a group.
 * The library compiles what was written, not what the user wrote. So the size is right even where
 * the library would have read the user's text differently.
 *
 * @param source what the user wrote
 * @param rewritten the same in the unambiguous form, without capturing groups
 * @param parts instructions of the compiled program at most, without its first and last
 * @param classSize characters and ranges that the library goes through to build its classes
 */
record Regex(String source, String rewritten, long parts, long classSize) {

  /** Characters of an expression. */
  static final int CHARS_MAX = 4_000;

  /** Parts after repetitions were written out; each is one instruction. */
  static final int PARTS_MAX = 1_000;

  /** Groups in each other. */
  static final int NESTING_MAX = 50;

  /** Bounds the memory and the time that classes such as {@code [^a-z\pL]} take to build. */
  static final int CLASS_SIZE_MAX = 200_000;

  private static final int STEPS_PER_PART = 10;

  /** The program has an instruction before the first part and one after the last. */
  private static final int ENDS = 2;

  /**
   * @throws IllegalArgumentException when it is malformed or too large; the message is for the user
   */
  static Regex read(String source) {
    return new RegexReader(source).read();
  }

  /** What {@link #compile} costs. */
  long steps() {
    return STEPS_PER_PART * (source.length() + parts) + classSize;
  }

  /** The compiled program has no more instructions. */
  long programMax() {
    return parts + ENDS;
  }

  /**
   * @throws IllegalArgumentException when the library does not accept it
   */
  Pattern compile() {
    try {
      return Pattern.compile(rewritten);
    } catch (PatternSyntaxException unfit) {
      throw unfit(unfit.getDescription() + ": " + unfit.getPattern(), unfit);
    } catch (StackOverflowError | OutOfMemoryError unmeasured) {
      // The size was wrong. This expression fails, unless the JVM exits by itself when memory ends.
      throw unfit("it is too large", unmeasured);
    }
  }

  private IllegalArgumentException unfit(String why, Throwable cause) {
    return new IllegalArgumentException(
        "bad regular expression " + ShapeReader.quoted(source) + ": " + why, cause);
  }
}
