package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegexTest {

  /** Each made the library copy a part that the size did not count. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        // The second [ ends the range, and ] the class.
        "[!-[:](a{100}){50}",
        "[!-[:](a{100}){50}:]",
        // Flags and empty quotes cannot be repeated: the count applies to the part before them.
        "(?:a{100})(?i){50}",
        "(?:a{100})\\Q\\E{50}",
        "(?:(?:a{20})(?i){20})(?i){20}",
        "a{100}(?i){50}",
        "a{100}(?i)*",
      })
  void no_part_is_repeated_without_being_counted(String source) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Regex.read(source))
        .withMessageMatching("(?s)(the regular expression is too large|bad regular expression).*");
  }

  @Test
  void size_is_that_of_the_program() {
    for (String source :
        List.of("", "abc", "a|b|", "(a|bc)*d", "(?:ab){3,5}x?", "a{0}", "()", "(|a)+", "a{2,}")) {
      Regex regex = Regex.read(source);
      assertThat((long) regex.compile().programSize())
          .as(source)
          .isBetween(regex.programMax() / 2, regex.programMax());
    }
    assertThat(Regex.read("(?:ab){400}c").programMax()).isEqualTo(2 * 400 + 1 + 2);
  }

  @Test
  void too_large_is_refused() {
    for (String source :
        List.of(
            "a".repeat(Regex.CHARS_MAX + 1),
            "((a{999}){999}){999}",
            "(a?){900}b",
            "(".repeat(60) + "a" + ")".repeat(60),
            "a".repeat(1_001),
            "|".repeat(600))) {
      assertThatIllegalArgumentException()
          .as(source)
          .isThrownBy(() -> Regex.read(source))
          .withMessageContaining("too large");
    }
  }

  /** The library visits each character of a range when case is ignored. */
  @Test
  void classes_that_take_long_to_build_are_refused() {
    for (String source :
        List.of(
            "(?i)[" + "\\x{2000}-\\x{1044e}".repeat(200) + "]", "[" + "\\pL".repeat(1_000) + "]")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Regex.read(source))
          .withMessageContaining("classes of the regular expression are too large");
    }
    assertThat(matches("(?i)[\\x{80}-\\x{1C7F}\\x{1C89}-\\x{10FFFF}]", "é")).isTrue();
    assertThat(matches("[B-\\x{1044e}\\pL\\p{Greek}\\PN]", "β")).isTrue();
  }

  /** The library loops endlessly over the cases of these. */
  @ParameterizedTest
  @ValueSource(
      strings = {"(?i)\u1c80", "(?i)[\u1c80]", "(?i:[a-\uffff])", "(?i)\\x{1c88}", "(?i)\\Q\u1c81"})
  void characters_that_the_library_does_not_come_back_from_are_refused(String source) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Regex.read(source).compile())
        .withMessageContaining("U+1C80 to U+1C88 cannot be used together with (?i)");
    assertThat(matches(source.replace("?i", "?s"), "b\u1c80\u1c81\u1c88")).isTrue();
  }

  /** A JDK with other character tables may add some. */
  @Test
  void no_other_characters_are_endless() throws Exception {
    Method next =
        Class.forName("com.google.re2j.Unicode").getDeclaredMethod("simpleFold", int.class);
    next.setAccessible(true);
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int cases = 1;
      for (int other = (int) next.invoke(null, c);
          other != c && cases < 10;
          other = (int) next.invoke(null, other)) {
        cases++;
      }
      assertThat(cases == 10)
          .as("U+%X", c)
          .isEqualTo(c >= RegexClasses.ENDLESS_FIRST && c <= RegexClasses.ENDLESS_LAST);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '"',
      textBlock =
          """
          ^v\\d+\\.\\d+\\.\\d+$ ~ v1.20.3 ~ v1.20
          ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$ ~ my-name-1 ~ -name
          ^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$ ~ a.b@c.example ~ a@b
          ^(prod|staging|dev)$ ~ staging ~ test
          ^\\d{4}-\\d{2}-\\d{2}$ ~ 2026-01-31 ~ 26-1-31
          ^\\d{4}-(0[1-9]|1[0-2])-([0-2]\\d|3[01])T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$ ~ 2026-01-31T06:30:00Z ~ 2026-13-31T06:30:00Z
          (?i)error|fatal ~ an Error here ~ all well
          (?i:warn)ing ~ WARNing ~ warnING
          ^s3://[^/]+/.+\\.csv(\\.gz)?$ ~ s3://bucket/a/b.csv.gz ~ s3://bucket
          ^https?://\\S+$ ~ https://example.org/x?y=1 ~ ftp://example.org
          ^(\\d{1,3}\\.){3}\\d{1,3}$ ~ 10.0.0.1 ~ 10.0.0
          ^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$ ~ 123e4567-e89b-12d3-a456-426614174000 ~ 123e4567
          \\bmain\\b ~ on main today ~ mainly
          ^release/.*$ ~ release/1.2 ~ feature/x
          [[:alpha:]]+[[:digit:]]* ~ abc12 ~ 12
          ^[^,]+(,[^,]+)*$ ~ a,b,c ~ a,,c
          ^\\s*$ ~ "  " ~ x
          ^.{3,10}$ ~ abcdef ~ ab
          ^a.*?b$ ~ axxb ~ axx
          ^[\\w.-]+$ ~ file_1.txt ~ "a b"
          ^[]}]$ ~ ] ~ x
          ^[\\[\\](){}]+$ ~ [](){} ~ x
          ^\\$\\{[A-Z_]+\\}$ ~ ${HOME} ~ HOME
          ^{a}$ ~ {a} ~ a
          ^(?P<year>\\d+)-(?P<week>W\\d+)$ ~ 2026-W05 ~ 2026-05
          ^(?<name>x+)$ ~ xxx ~ y
          ^\\p{Lu}\\pL*$ ~ Äpfel ~ äpfel
          ^\\x41\\x{42}\\103$ ~ ABC ~ abc
          ^\\Qa.b*\\E$ ~ a.b* ~ axb
          ^[a-c-e]+$ ~ a-e ~ d
          ^[^\\x00-\\x7F]+$ ~ 日本 ~ nihon
          ^(a|b|)$ ~ b ~ c
          ^[!-[:]$ ~ : ~ a
          ^[a[b]$ ~ [ ~ c
          \\Astart.*end\\z ~ start, end ~ end start
          ^a{2}b{1,}c{0,2}d{,2}$ ~ aabbccd{,2} ~ ab
          """)
  void ordinary_expressions_work(String source, String match, String other) {
    assertThat(matches(source, match)).isTrue();
    assertThat(matches(source, other)).isFalse();
  }

  @Test
  void flags_for_lines_work() {
    assertThat(matches("(?s)^a.b$", "a\nb")).isTrue();
    assertThat(matches("^a.b$", "a\nb")).isFalse();
    assertThat(matches("(?m)^two$", "one\ntwo")).isTrue();
    assertThat(matches("^two$", "one\ntwo")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          a** ~ at character 3: a repeat cannot be repeated
          ab(?i)* ~ at character 7: flags such as (?i) cannot be repeated
          *a ~ at character 1: there is nothing before it to repeat; write \\* for the character
          a|+ ~ at character 3: there is nothing before it
          a\\Q\\E+ ~ at character 6: \\Q\\E is empty
          (a ~ at character 1: this ( has no )
          a) ~ at character 2: a ) without its (
          [a ~ at character 1: this [ has no ]
          [[:nope:]] ~ at character 2: [: begins a class such as [[:alpha:]]
          [z-a] ~ at character 2: the range ends before it begins
          a{3,2} ~ at character 2: the first number of a repeat is larger
          a{1001} ~ at character 2: a part can be repeated at most 1000 times
          (?=a) ~ at character 1: known are (?:...)
          (?<!a)b ~ nothing looks ahead or behind
          (?P<n>a)(?<n>b) ~ at character 9: a second group with the name n
          (a)\\1 ~ at character 4: references such as \\1 are not supported
          😀\\y ~ at character 2: unknown escape \\y
          a\\ ~ at character 2: a backslash at the end
          \\x{110000} ~ at character 1: write \\x41
          \\p{Nope} ~ bad regular expression
          """)
  void refusal_names_the_place_and_what_to_do(String source, String expected) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Regex.read(source).compile())
        .withMessageContaining("bad regular expression")
        .withMessageContaining(expected);
  }

  private static boolean matches(String regex, String text) {
    return Regex.read(regex).compile().matcher(text).find();
  }
}
