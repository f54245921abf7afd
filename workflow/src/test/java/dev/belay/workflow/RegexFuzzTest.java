package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random expressions of pieces that are easy to misread. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegexFuzzTest {

  private static final int COUNT = 20_000;
  private static final long SEED = 20260731;

  /** A program of 1,000 instructions and its tree take less than one. */
  private static final long COMPILE_BYTES_MAX = 16 << 20;

  private static final List<String> ATOMS =
      List.of(
          "a",
          "b",
          "B",
          "k",
          "\u212a",
          ".",
          "^",
          "$",
          "[a]",
          "[^a-c]",
          "[]a]",
          "[^]-a]",
          "[!-[:]",
          "[[:alpha:]]",
          "[[:^digit:]b-]",
          "[a\\]b]",
          "[a-c-e]",
          "[\\d-z]",
          "[Aa]",
          "\\d",
          "\\W",
          "\\pL",
          "\\p{Greek}",
          "\\P{^L}",
          "\\x{41}",
          "\\x42",
          "\\101",
          "\\b",
          "\\B",
          "\\A",
          "\\z",
          "\\.",
          "\\Qa(\\E",
          "\\Q\\E",
          "{",
          "}",
          ",",
          "]",
          ":",
          "-",
          "!",
          "()",
          "(|)",
          "\uD83D\uDE00",
          "\uD83D",
          "\0",
          "\n",
          "é");

  private static final List<String> REPEATS =
      List.of("*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1}", "{3,}", "{0,3}", "{2,4}?");

  private static final List<String> LARGE_REPEATS =
      List.of("{999}", "{0,999}", "{500,}", "{30}", "{7,70}", "{1000}", "{1001}");

  private static final List<String> OPENINGS =
      List.of("(", "(?:", "(?i:", "(?-i:", "(?U:", "(?P<n>", "(?is-m:");

  private static final List<String> NASTY =
      List.of(
          "[",
          "]",
          "[:",
          ":]",
          "[:alpha:]",
          "[^",
          "-",
          "^",
          "(",
          ")",
          "(?",
          "(?i)",
          "(?-i)",
          "(?i",
          "(?)",
          "(?<",
          "|",
          "*",
          "+",
          "?",
          "{2}",
          "{2,}",
          "{",
          "}",
          "{,2}",
          "{02}",
          "\\Q",
          "\\E",
          "\\Q\\E",
          "\\",
          "\\\\",
          "\\x",
          "\\x{",
          "\\p",
          "\\1",
          "\\12",
          "!-[",
          "a-",
          "\\Q)\\E",
          "(?i)*");

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "b",
          "B",
          "k",
          "K",
          "\u212a",
          "aab",
          "ab!",
          "a(",
          "1",
          "Ab:",
          "]",
          "-",
          "{2}",
          "{,2}",
          "a\nb",
          "α",
          "é",
          "\uD83D\uDE00",
          "\0",
          "[!",
          "aaaa bbbb",
          "ABkK",
          ":]");

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void program_is_never_larger_than_the_size_that_was_reckoned() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    int compiled = 0;
    for (int i = 0; i < COUNT; i++) {
      String source = expression(true, 4);
      long before = threads.getCurrentThreadAllocatedBytes();
      Optional<Compiled> own = own(source);
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(bytes).as("bytes allocated for %s", source).isLessThan(COMPILE_BYTES_MAX);
      if (own.isPresent()) {
        Regex regex = own.get().regex();
        assertThat((long) own.get().pattern().programSize())
            .as("program of %s, written as %s", source, regex.rewritten())
            .isLessThanOrEqualTo(regex.programMax());
        assertThat(regex.parts()).as(source).isLessThanOrEqualTo(Regex.PARTS_MAX + 1);
        compiled++;
      }
    }
    assertThat(compiled).as("expressions that were compiled").isGreaterThan(COUNT / 10);
  }

  /** Small counts only: here the library compiles the generated text unmeasured. */
  @Test
  void an_expression_means_what_it_means_to_the_library() {
    int compared = 0;
    for (int i = 0; i < COUNT; i++) {
      String source = expression(false, 3);
      Optional<Pattern> theirs = library(source);
      Optional<Compiled> own = own(source);
      // The library allows no repeat after a literal brace.
      if (theirs.isEmpty() && !source.matches("(?s).*\\{[*+?{].*")) {
        assertThat(own).as("%s, which the library refuses", source).isEmpty();
      }
      if (theirs.isEmpty() || own.isEmpty()) {
        continue;
      }
      for (String text : TEXTS) {
        assertThat(own.get().pattern().matcher(text).find())
            .as("%s, written as %s, in '%s'", source, own.get().regex().rewritten(), text)
            .isEqualTo(theirs.get().matcher(text).find());
      }
      compared++;
    }
    assertThat(compared).as("expressions that were compared").isGreaterThan(COUNT / 10);
  }

  @Test
  void only_a_few_things_that_the_library_knows_are_refused() {
    for (int i = 0; i < COUNT; i++) {
      String source = expression(false, 3);
      if (library(source).isEmpty()) {
        continue;
      }
      try {
        Regex.read(source);
      } catch (IllegalArgumentException refused) {
        assertThat(refused.getMessage())
            .as(source)
            .containsAnyOf(
                "too large",
                "flags such as (?i) cannot be repeated",
                "\\Q\\E is empty",
                "[: begins a class",
                "known are (?:...)");
      }
    }
  }

  private record Compiled(Regex regex, Pattern pattern) {}

  private static Optional<Compiled> own(String source) {
    try {
      Regex regex = Regex.read(source);
      return Optional.of(new Compiled(regex, regex.compile()));
    } catch (IllegalArgumentException refused) {
      return Optional.empty();
    }
  }

  private static Optional<Pattern> library(String source) {
    try {
      return Optional.of(Pattern.compile(source));
    } catch (PatternSyntaxException refused) {
      return Optional.empty();
    }
  }

  /** A random tree as text; every second one has a piece inserted, removed or doubled. */
  private String expression(boolean large, int depth) {
    var text = new StringBuilder();
    alternatives(text, large, depth);
    for (int changes = random.nextInt(2) * random.nextInt(1, 4); changes > 0; changes--) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(1, 4));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, text.substring(at, end));
        default -> text.insert(at, one(NASTY));
      }
    }
    return text.toString();
  }

  private void alternatives(StringBuilder text, boolean large, int depth) {
    for (int more = random.nextInt(3); more > 0; more--) {
      sequence(text, large, depth);
      text.append('|');
    }
    sequence(text, large, depth);
  }

  private void sequence(StringBuilder text, boolean large, int depth) {
    for (int length = random.nextInt(4); length > 0; length--) {
      if (random.nextInt(12) == 0) {
        text.append(one(List.of("(?i)", "(?-i)", "(?s)", "(?m)", "(?U)")));
      }
      if (depth > 0 && random.nextInt(3) == 0) {
        text.append(one(OPENINGS));
        alternatives(text, large, depth - 1);
        text.append(')');
      } else {
        text.append(one(ATOMS));
      }
      if (random.nextInt(3) == 0) {
        text.append(one(large && random.nextInt(3) == 0 ? LARGE_REPEATS : REPEATS));
      }
    }
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
