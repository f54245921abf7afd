package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.domain.spec.ParamSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that try to hang the reader or exhaust memory: unbounded, minutes or gigabytes each. */
@Timeout(60)
class HostileFilesTest {

  static Stream<Arguments> files() {
    return Stream.of(
        Arguments.of("alias bomb", aliasBomb(), "expands to more than 1000000 values"),
        Arguments.of("alias bomb by merging", mergeBomb(), "expands to more than 1000000 values"),
        Arguments.of("deep lists", "a: " + "[".repeat(1_000_000), "nested deeper than 50 levels"),
        Arguments.of("deep maps", "{a: ".repeat(200_000), "nested deeper than 50 levels"),
        Arguments.of("deep blocks", "- ".repeat(1_000), "nested deeper than 50 levels"),
        Arguments.of("deep aliases", deepAliases(), "nested deeper than 50 levels"),
        Arguments.of("10 MB scalar", "name: " + "x".repeat(10_000_000), "10000006 characters"),
        Arguments.of("10,001 tasks", tasks(10_001), "'tasks' has 10001 items; the most is 10000"),
        Arguments.of(
            "4 MB line", "name: " + "x".repeat(4_000_000), "'name' is longer than 100 characters"),
        Arguments.of("4 MB of keys", "a: 1\n".repeat(800_000), "duplicate key 'a'"),
        Arguments.of("unknown dependencies", strangers(), "unknown task"),
        Arguments.of(
            "dense graph", dense(400), "the tasks have more than 100000 dependencies together"),
        Arguments.of(
            "one text in many tasks",
            "name: w\ndefaults: {env: {X: " + "x".repeat(99_000) + "}}\n" + tasks(300),
            "have more than 20000000 characters together"),
        Arguments.of(
            "many long expressions",
            manyExpressions(
                400, "[" + "params.s, ".repeat(300) + "1].size() > 0 || params.s == params.s"),
            "the expressions of a file may have 1000000 characters together"),
        Arguments.of(
            "10,000 wrong expressions", manyExpressions(10_000, "params.s + 1 > "), "cannot take"),
        Arguments.of(
            "long expression",
            "task: {command: ['${{ " + "1+".repeat(9_000) + "1 }}']}",
            "longer than 4000 characters"),
        Arguments.of("101 triggers", triggers(101, "{every: 5m, name: t%d}"), "has 101 items"),
        Arguments.of(
            "huge cron list",
            triggers(1, "{cron: \"" + "0,".repeat(100_000) + "0 * * * *\"}"),
            "'cron' is longer than 256 characters"),
        Arguments.of(
            "a zone with a long name",
            triggers(1, "{every: 5m, timezone: " + "Europe/".repeat(100_000) + "}"),
            "there is no time zone"),
        Arguments.of(
            "a time with many digits",
            triggers(1, "{at: 2026-12-24T18:00:00." + "0".repeat(100_000) + "}"),
            "'at' is longer than 40 characters"),
        Arguments.of(
            "params bomb",
            "name: w\nparams: {j: {type: json, default: 1}}\nx-a: &a [%s]\n"
                    .formatted("1234567890,".repeat(8_000))
                + triggers(100, "{every: 5m, name: t%d, params: {j: *a}}").substring(8),
            "the params of all triggers have more than 1000000 characters together"),
        Arguments.of(
            "long param",
            "params: {j: {type: string, default: a}}\n"
                + triggers(1, "{every: 5m, params: {j: " + "x".repeat(200_000) + "}}"),
            "parameter 'j' is longer than 100000 characters"),
        Arguments.of(
            "100,000 wrong keys in a trigger",
            triggers(1, "{every: 5m, " + manyKeys(100_000) + "}"),
            "unknown key 'k0' in a trigger"),
        Arguments.of(
            "deep expression",
            "task: {command: ['${{ " + "(".repeat(1_900) + "1" + ")".repeat(1_900) + " }}']}",
            "bad expression"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void hostile_file_is_refused(String kind, String text, String expected) {
    assertThat(ParsedFiles.problems(text))
        .anySatisfy(problem -> assertThat(problem).contains(expected));
  }

  @Test
  void dense_graph_by_alias_is_refused_or_read_in_bounds() {
    StringBuilder text = new StringBuilder("name: w\nx-all: &all [");
    for (int i = 0; i < 5_000; i++) {
      text.append('t').append(i).append(',');
    }
    text.append("]\ntasks:\n");
    for (int i = 0; i < 5_000; i++) {
      text.append("  - {name: t").append(i).append(", command: [x], depends_on: *all}\n");
    }
    assertThat(ParsedFiles.problems(text.toString()))
        .singleElement()
        .asString()
        .contains("expands to more than 1000000 values");
  }

  @Test
  void what_is_right_needs_no_second_environment() {
    var checker =
        new TypeChecker(
            Cel.variables(Map.of("s", ParamSpec.Type.STRING, "j", ParamSpec.Type.JSON)));
    for (String right :
        List.of(
            "params.s.startsWith('a') && params.s.size() > 0",
            "params.j.a[0].b in [1, 2] || has(params.j.c)",
            "params.j.map(x, string(x) + run.id).exists(y, y.matches('a'))",
            "timestamp(run.created_at) + duration('1h') > timestamp('2026-01-31T00:00:00Z')",
            "type(params.s) == string && {'a': [1u, 2u]}.a.size() == 2")) {
      assertThat(checker.check(right).hasError()).as(right).isFalse();
      assertThat(checker.checkedTwice()).as(right).isZero();
    }
    assertThat(checker.check("params.s + 1").hasError()).isTrue();
    assertThat(checker.checkedTwice()).isEqualTo(1);
    assertThat(checker.check("params.s == 'x'").hasError()).isFalse();
    assertThat(checker.checkedTwice()).isEqualTo(1);
  }

  @Test
  void expressions_of_one_shape_differ_only_in_numbers_and_texts() {
    assertThat(ExpressionShape.of("params.a1 + 12 > x[3] && s == 'it' || t == \"is\""))
        .isEqualTo("params.a1 + 1 > x[1] && s == '' || t == \"\"");
    for (String kept :
        List.of(
            "1.5 + 2e3", "0x1f", "7u", "12345678901234567890", "'a\\'b'", "b'", "\"\"\"a\"\"\"")) {
      assertThat(ExpressionShape.of(kept)).isEqualTo(kept);
    }
    assertThat(ParsedFiles.problems("task: {command: [\"${{ 12345678901234567890 > 1 }}\"]}"))
        .isNotEmpty();
    assertThat(ParsedFiles.problems("task: {command: [\"${{ 1 > 2 }}\", \"${{ 3 + 'x' }}\"]}"))
        .singleElement()
        .asString()
        .contains("cannot take");
  }

  @Test
  void ten_thousand_expressions_are_read() {
    String file = manyExpressions(10_000, "params.s.startsWith('a') && params.s.size() > ");
    assertValid(file);
  }

  private static void assertValid(String file) {
    assertThat(WorkflowFile.parse("w.yaml", file).getClass()).isEqualTo(Parsed.Valid.class);
  }

  private static String manyExpressions(int count, String source) {
    StringBuilder text =
        new StringBuilder("name: w\nparams: {s: {type: string, default: x}}\ntasks:\n");
    boolean whole = source.endsWith("params.s");
    for (int i = 0; i < count; i++) {
      String each = whole ? source + " || " + i + ".5 > 1.0" : source + i;
      text.append("  - {name: t%d, command: [echo, \"${{ %s }}\"]}\n".formatted(i, each));
    }
    return text.toString();
  }

  private static String triggers(int count, String each) {
    StringBuilder text = new StringBuilder("name: w\ntriggers:\n");
    for (int i = 0; i < count; i++) {
      text.append("  - ").append(each.replace("%d", String.valueOf(i))).append('\n');
    }
    return text + "task: {command: [x]}\n";
  }

  private static String manyKeys(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append('k').append(i).append(": 1, ");
    }
    return text.toString();
  }

  private static String dense(int tasks) {
    StringBuilder text = new StringBuilder("name: w\ntasks:\n");
    for (int i = 0; i < tasks * 2; i++) {
      text.append("  - {name: t%d, command: [x], depends_on: [".formatted(i));
      for (int j = 0; i >= tasks && j < tasks; j++) {
        text.append('t').append(j).append(',');
      }
      text.append("]}\n");
    }
    return text.toString();
  }

  private static String aliasBomb() {
    StringBuilder text = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      text.append("a%d: &a%d [".formatted(i, i));
      text.append("*a%d,".formatted(i - 1).repeat(10)).append("]\n");
    }
    return text.toString();
  }

  /** Each single alias is shallow enough. */
  private static String deepAliases() {
    StringBuilder text = new StringBuilder("name: d\nx-a:\n");
    for (int i = 0; i < 100; i++) {
      String inner = i == 0 ? "x" : "*a" + (i - 1);
      text.append("  - &a%d %s%s%s\n".formatted(i, "[".repeat(45), inner, "]".repeat(45)));
    }
    return text + "params: {j: {type: json, default: *a99}}\ntask: {command: [echo]}\n";
  }

  private static String mergeBomb() {
    StringBuilder text = new StringBuilder("a0: &a0 {x: [1,2,3,4,5,6,7,8,9]}\n");
    for (int i = 1; i < 30; i++) {
      text.append("a%d: &a%d {".formatted(i, i));
      for (int k = 0; k < 10; k++) {
        text.append("k%d: {<<: *a%d},".formatted(k, i - 1));
      }
      text.append("}\n");
    }
    return text.toString();
  }

  private static String tasks(int count) {
    StringBuilder text = new StringBuilder("name: w\ntasks:\n");
    for (int i = 0; i < count; i++) {
      text.append("  - {name: t").append(i).append(", command: [x]}\n");
    }
    return text.toString();
  }

  private static String strangers() {
    StringBuilder text = new StringBuilder(tasks(9_000));
    text.append("  - name: last\n    command: [x]\n    depends_on: [");
    for (int i = 0; i < 10_000; i++) {
      text.append("stranger").append(i).append(',');
    }
    return text.append("]\n").toString();
  }
}
