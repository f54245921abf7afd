package dev.belay.fuzz.make;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes workflow files: the examples, generated ones, and mutations of both. */
final class YamlMaker {

  private static final List<String> EXAMPLES =
      List.of("etl.yaml", "fan-out.yaml", "flaky.yaml", "hello.yaml", "params.yaml", "wait.yaml");

  private static final List<String> KEYS =
      List.of(
          "name",
          "tasks",
          "params",
          "max_active",
          "tenant",
          "description",
          "labels",
          "command",
          "script",
          "wait",
          "until",
          "env",
          "depends_on",
          "when",
          "trigger_rule",
          "retry",
          "priority",
          "pool",
          "execution_timeout",
          "stall_timeout",
          "stop_grace",
          "fencing",
          "on_worker_lost",
          "exit_codes",
          "schedule",
          "triggers",
          "overlap",
          "timeout",
          "expect_by",
          "calendars",
          "<<",
          "!!str x",
          "? [a]");

  private static final List<String> VALUES =
      List.of(
          "[",
          "{",
          "&a *a",
          "*none",
          "!!java.net.URL [x]",
          "!!binary AAAA",
          "!tag x",
          "~",
          "yes",
          ".nan",
          "1e999",
          "0o777",
          "2026-01-01",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "|\n      x",
          "${{",
          "${{ }}",
          "${{ params.nope }}",
          "${{ 1/0 }}",
          "${{ [1,2].map(x, x) }}",
          "99999999999999999999",
          "- - -",
          "@x",
          "%x",
          "\t",
          "'",
          "<<: *a");

  private static final List<String> EXPRESSIONS =
      List.of(
          "1 == 1",
          "'a'.matches('(a?){900}b')",
          "'a'.matches('[!-[:]((a{999}){999}){999}')",
          "'a'.matches('(((a{999})(?i){999})(?i){999})')",
          "'a'.matches('(?i)\\u1c80')",
          "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'.matches('(a+)+$')",
          "params.p.matches('^(([a-z])+.)+[A-Z]([a-z])+$')",
          "[1,2,3].exists(x, [1,2,3].exists(y, [1,2,3].exists(z, x+y+z == 99)))",
          "1/0 == 1",
          "has(params.p)",
          "params.p.size() > 3",
          "'x'.size() == 9223372036854775807",
          "timestamp('9999-12-31T23:59:59Z') > timestamp('0001-01-01T00:00:00Z')",
          "'a' + 1 == 'b'",
          "run.id != ''",
          "nope(1)",
          "((((((((((1))))))))))==1",
          "!".repeat(60) + "true",
          "true" + " || true".repeat(500));

  private YamlMaker() {}

  /** A file that is probably valid. */
  static byte[] plausible(Dice dice) {
    return switch (dice.below(5)) {
      case 0 -> JsonMaker.utf8(example(dice));
      case 1 -> TriggerMaker.plausible(dice);
      case 2 -> graph(dice, dice.between(1, 12), dice.oneOf(0.0, 0.3, 1.0));
      default -> expressions(dice, dice.between(1, 4));
    };
  }

  /** A file that the server should refuse, with rare exceptions. */
  static byte[] broken(Dice dice) {
    return switch (dice.below(15)) {
      case 0 -> bomb(dice);
      case 1 -> cycle(dice.oneOf(1, 2, 50, 2_000));
      case 2 -> JsonMaker.utf8("a: ".repeat(dice.oneOf(2, 100, 5_000)));
      case 3 -> JsonMaker.utf8("name: x\ntasks:" + " [".repeat(dice.oneOf(10, 1_000, 100_000)));
      case 4 ->
          JsonMaker.utf8(
              "name: x\nbad key: 1\ntasks: ["
                  + "{name: a, command: [x]},".repeat(dice.oneOf(2, 500))
                  + "]");
      case 5 -> dice.bytes(dice.between(0, 300));
      case 6 -> large(dice);
      case 7 -> expressionsOf(dice, "'x' == 1 && " + dice.oneOf(EXPRESSIONS));
      case 8 -> JsonMaker.broken(dice, JsonMaker.validTask(dice));
      case 9, 10, 11 -> TriggerMaker.broken(dice);
      default -> lines(dice, example(dice));
    };
  }

  private static byte[] graph(Dice dice, int tasks, double density) {
    var text = new StringBuilder("name: ").append(Texts.name(dice)).append("\ntasks:\n");
    for (int i = 0; i < tasks; i++) {
      text.append("  - name: t").append(i).append("\n    command: [/bin/true]\n");
      var needs = new ArrayList<String>();
      for (int j = 0; j < i; j++) {
        if (dice.share() < density) {
          needs.add("t" + j);
        }
      }
      if (!needs.isEmpty()) {
        text.append("    depends_on: [").append(String.join(", ", needs)).append("]\n");
      }
    }
    return JsonMaker.utf8(text.toString());
  }

  private static byte[] expressions(Dice dice, int tasks) {
    var text =
        new StringBuilder("name: ")
            .append(Texts.name(dice))
            .append("\nparams:\n  p: {type: string, default: \"")
            .append("a".repeat(dice.oneOf(1, 10, 1_000)))
            .append("\"}\ntasks:\n");
    for (int i = 0; i < tasks; i++) {
      text.append("  - name: t").append(i).append("\n    command: [/bin/true]\n    when: \"${{ ");
      text.append(dice.oneOf(EXPRESSIONS)).append(" }}\"\n");
    }
    return JsonMaker.utf8(text.toString());
  }

  private static byte[] expressionsOf(Dice dice, String expression) {
    int tasks = dice.oneIn(20) ? 1_000 : dice.between(1, 20);
    var text = new StringBuilder("name: many\ntasks:\n");
    for (int i = 0; i < tasks; i++) {
      text.append("  - {name: t").append(i).append(", command: [x], when: \"${{ ");
      text.append(expression).append(" && ").append(i).append(" == 0 }}\"}\n");
    }
    return JsonMaker.utf8(text.toString());
  }

  /** Aliases of aliases. */
  private static byte[] bomb(Dice dice) {
    var text = new StringBuilder("x-a0: &a0 [" + "x,".repeat(9) + "x]\n");
    int depth = dice.oneOf(3, 9, 30);
    for (int i = 1; i < depth; i++) {
      text.append("x-a").append(i).append(": &a").append(i).append(" [");
      text.append(("*a" + (i - 1) + ",").repeat(9)).append("*a").append(i - 1).append("]\n");
    }
    text.append("name: bomb\ntasks: *a").append(depth - 1).append('\n');
    return JsonMaker.utf8(text.toString());
  }

  private static byte[] cycle(int tasks) {
    var text = new StringBuilder("name: cycle\ntasks:\n");
    for (int i = 0; i < tasks; i++) {
      text.append("  - {name: t").append(i).append(", command: [x], depends_on: [t");
      text.append((i + 1) % tasks).append("]}\n");
    }
    return JsonMaker.utf8(text.toString());
  }

  private static byte[] large(Dice dice) {
    int bytes = dice.oneIn(10) ? dice.oneOf(7 << 20, 9 << 20) : dice.oneOf(50_000, 400_000);
    String item = dice.oneOf("- a\n", "  - {}\n", "# comment\n", "k: v\n", "- &a *a\n", "- [[[[\n");
    return JsonMaker.utf8("name: large\ntasks:\n" + item.repeat(bytes / item.length()));
  }

  /** Swaps, removes or replaces whole lines and single values. */
  private static byte[] lines(Dice dice, String text) {
    var lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
    int changes = dice.between(1, 5);
    for (int i = 0; i < changes; i++) {
      int at = dice.below(lines.size());
      String line = lines.get(at);
      switch (dice.below(8)) {
        case 0 -> lines.add(at, line);
        case 1 -> lines.remove(at);
        case 2 -> lines.set(at, " ".repeat(dice.below(6)) + line);
        case 3 -> lines.set(at, line.stripLeading());
        case 4 ->
            lines.set(at, line.replaceFirst(":.*", ": " + quoteReplacement(dice.oneOf(VALUES))));
        case 5 -> lines.add(at, indentOf(line) + dice.oneOf(KEYS) + ": " + dice.oneOf(VALUES));
        case 6 -> lines.set(at, line + Texts.hostile(dice));
        default -> lines.set(at, line.replace(':', dice.oneOf('=', '\0', '-')));
      }
      if (lines.isEmpty()) {
        break;
      }
    }
    return JsonMaker.utf8(String.join("\n", lines));
  }

  private static String quoteReplacement(String text) {
    return java.util.regex.Matcher.quoteReplacement(text);
  }

  private static String indentOf(String line) {
    return line.substring(0, line.length() - line.stripLeading().length());
  }

  static String example(Dice dice) {
    return example(dice.oneOf(EXAMPLES));
  }

  static String example(String name) {
    try (var in = YamlMaker.class.getResourceAsStream("/examples/" + name)) {
      if (in == null) {
        throw new IllegalStateException("no example " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
