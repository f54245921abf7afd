package dev.belay.workflow;

import com.google.common.collect.ImmutableSet;
import com.google.re2j.Pattern;
import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.RuntimeHelpers;
import java.time.Duration;

/**
 * The CEL functions whose time can exceed the length of their arguments. Each is charged for its
 * work before it begins. For the other functions, the charge for argument values is enough.
 */
final class ChargedFunctions {

  /** Characters that a search compares in the time of one step. */
  private static final int CHARS_PER_STEP = 64;

  private static final int DURATION_CHARS_MAX = 200;

  private ChargedFunctions() {}

  static CelStandardFunctions others() {
    return CelStandardFunctions.newBuilder()
        .excludeFunctions(
            StandardFunction.MATCHES, StandardFunction.CONTAINS, StandardFunction.DURATION)
        .build();
  }

  static ImmutableSet<CelFunctionBinding> bindings() {
    return ImmutableSet.<CelFunctionBinding>builder()
        .addAll(
            CelFunctionBinding.fromOverloads(
                "matches",
                binding("matches", ChargedFunctions::matches),
                binding("matches_string", ChargedFunctions::matches)))
        .addAll(
            CelFunctionBinding.fromOverloads(
                "contains", binding("contains_string", ChargedFunctions::contains)))
        .addAll(
            CelFunctionBinding.fromOverloads(
                "duration",
                CelFunctionBinding.from(
                    "string_to_duration", String.class, ChargedFunctions::duration),
                CelFunctionBinding.from("duration_to_duration", Duration.class, length -> length)))
        .build();
  }

  private static CelFunctionBinding binding(
      String overload, CelFunctionOverload.Binary<String, String> function) {
    return CelFunctionBinding.from(overload, String.class, String.class, function);
  }

  private static Object matches(String text, String regex) {
    Meter meter = Meter.CURRENT.get();
    Pattern pattern;
    try {
      Regex read = Regex.read(regex);
      meter.charge(read.steps());
      pattern = read.compile();
    } catch (IllegalArgumentException unfit) {
      // The library puts all arguments into the message of any other exception.
      throw new CelInvalidArgumentException(unfit);
    }
    meter.charge((1L + text.length()) * pattern.programSize());
    return pattern.matcher(text).find();
  }

  /** The library cuts off one unit at a time and copies the rest each time. */
  private static Object duration(String text) {
    if (text.length() > DURATION_CHARS_MAX) {
      throw new CelInvalidArgumentException(
          new IllegalArgumentException(
              "a duration has at most " + DURATION_CHARS_MAX + " characters"));
    }
    try {
      return RuntimeHelpers.createJavaDurationFromString(text);
    } catch (IllegalArgumentException unfit) {
      throw new CelInvalidArgumentException(unfit);
    }
  }

  private static Object contains(String text, String part) {
    Meter.CURRENT.get().charge((long) text.length() * part.length() / CHARS_PER_STEP);
    return text.contains(part);
  }
}
