package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {

  @Test
  void equal_texts_have_no_difference() {
    assertThat(diff("a\nb\n", "a\nb\n")).isEmpty();
  }

  @Test
  void a_changed_line_has_three_lines_around_it() {
    assertThat(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"))
        .isEqualTo(
            """
            --- a
            +++ b
            @@ -2,7 +2,7 @@
             2
             3
             4
            -5
            +five
             6
             7
             8
            """);
  }

  @Test
  void far_changes_are_two_hunks_and_a_missing_line_feed_is_told() {
    assertThat(diff("x\n1\n2\n3\n4\n5\n6\n7\n8\ny", "1\n2\n3\n4\n5\n6\n7\n8\nz\n"))
        .isEqualTo(
            """
            --- a
            +++ b
            @@ -1,4 +1,3 @@
            -x
             1
             2
             3
            @@ -7,4 +6,4 @@
             6
             7
             8
            -y
            \\ No newline at end of file
            +z
            """);
  }

  @Test
  void an_empty_text_is_an_empty_range() {
    assertThat(diff("", "1\n2\n")).isEqualTo("--- a\n+++ b\n@@ -0,0 +1,2 @@\n+1\n+2\n");
    assertThat(diff("1\n", "")).isEqualTo("--- a\n+++ b\n@@ -1 +0,0 @@\n-1\n");
  }

  @Test
  void random_differences_lead_from_the_old_text_to_the_new_one() {
    var random = new Random(7);
    for (int round = 0; round < 3_000; round++) {
      var before = text(random, random.nextInt(30));
      var after = text(random, random.nextInt(30));
      assertThat(patched(before, diff(before, after))).isEqualTo(after);
    }
  }

  @Test
  void texts_that_differ_everywhere_are_replaced_as_a_whole() {
    var before = text(new Random(1), 3_000);
    var after = before.replace("1", "one").replace("2", "two");
    assertThat(patched(before, diff(before, after))).isEqualTo(after);
  }

  @Test
  void a_text_of_very_many_lines_has_no_difference_to_show() {
    assertThat(UnifiedDiff.of("a", "b", "", "\n".repeat(20_000))).isEmpty();
  }

  private static String diff(String before, String after) {
    return UnifiedDiff.of("a", "b", before, after).orElseThrow();
  }

  private static String text(Random random, int lines) {
    var text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append(random.nextInt(4)).append('\n');
    }
    return text.toString();
  }

  /** What {@code patch} does, with every line checked. */
  private static String patched(String before, String diff) {
    if (diff.isEmpty()) {
      return before;
    }
    List<String> old = before.lines().toList();
    List<String> patched = new ArrayList<>();
    int at = 0;
    for (String line : diff.lines().skip(2).toList()) {
      if (line.startsWith("@@")) {
        var range = line.split(" ")[1].substring(1).split(",");
        int start = Integer.parseInt(range[0]) - (range.length > 1 && range[1].equals("0") ? 0 : 1);
        while (at < start) {
          patched.add(old.get(at++));
        }
      } else if (line.charAt(0) == '+') {
        patched.add(line.substring(1));
      } else {
        assertThat(old.get(at++)).isEqualTo(line.substring(1));
        if (line.charAt(0) == ' ') {
          patched.add(line.substring(1));
        }
      }
    }
    patched.addAll(old.subList(at, old.size()));
    return patched.isEmpty() ? "" : String.join("\n", patched) + "\n";
  }
}
