package dev.belay.workflow;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A user's regular expression, measured before it is compiled. The library compiles repetitions by
 * copying, and works by recursion: {@code (a?){900}b} overflows the stack, {@code
 * ((a{999}){999}){999}} exhausts memory.
 *
 * <p>{@link RegexReader} parses the expression and rewrites it in an unambiguous form: it escapes
 * each literal character and puts each repeated part into a group. The library compiles the
 * rewritten form, so the size is right even where the library would have read the user's text
 * differently.
 *
 * @param source the user's text
 * @param rewritten the same in the unambiguous form, without capturing groups
 * @param parts upper bound of instructions of the compiled program, without its first and last
 * @param classSize characters and ranges that the library visits to build its classes
 */
record Regex(String source, String rewritten, long parts, long classSize) {

  /** Limit of characters in an expression. */
  static final int CHARS_MAX = 4_000;

  /** Limit of parts after expanding repetitions; each is one instruction. */
  static final int PARTS_MAX = 1_000;

  /** Limit of nested groups. */
  static final int NESTING_MAX = 50;

  /** Bounds the memory and time to build classes such as {@code [^a-z\pL]}. */
  static final int CLASS_SIZE_MAX = 200_000;

  private static final int STEPS_PER_PART = 10;

  /** The program has an instruction before the first part and one after the last. */
  private static final int ENDS = 2;

  /**
   * @throws IllegalArgumentException when malformed or too large; the message is for the user
   */
  static Regex read(String source) {
    return new RegexReader(source).read();
  }

  /** The cost of {@link #compile}. */
  long steps() {
    return STEPS_PER_PART * (source.length() + parts) + classSize;
  }

  /** Upper bound of instructions of the compiled program. */
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
      // The measured size was wrong: fail this expression, unless the JVM exits when out of memory.
      throw unfit("it is too large", unmeasured);
    }
  }

  private IllegalArgumentException unfit(String why, Throwable cause) {
    return new IllegalArgumentException(
        "bad regular expression " + ShapeReader.quoted(source) + ": " + why, cause);
  }
}
