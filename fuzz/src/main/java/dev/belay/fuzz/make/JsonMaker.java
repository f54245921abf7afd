package dev.belay.fuzz.make;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Makes JSON bodies: valid ones and mutations of them. */
final class JsonMaker {

  private static final List<String> FIELDS =
      List.of(
          "name",
          "command",
          "script",
          "env",
          "retry",
          "exit_codes",
          "execution_timeout",
          "stall_timeout",
          "stop_grace",
          "deadline",
          "delay",
          "run_at",
          "wait",
          "on_worker_lost",
          "fencing",
          "priority",
          "pool",
          "labels",
          "tenant",
          "idempotency_key",
          "tasks",
          "params",
          "version",
          "depends_on",
          "when",
          "x-thing",
          "");

  private static final List<String> NUMBERS =
      List.of(
          "1e999999",
          "-1e999999",
          "1e-999999",
          "-0",
          "0.1e+1",
          "99999999999999999999999999",
          "1".repeat(2_000),
          "01",
          "+1",
          ".5",
          "1.",
          "0x10",
          "NaN",
          "Infinity",
          "2147483648",
          "9223372036854775808",
          "1.0E+2147483648");

  private JsonMaker() {}

  static byte[] validTask(Dice dice) {
    return utf8(task(dice));
  }

  static byte[] validTasks(Dice dice) {
    int count = dice.oneIn(50) ? 200 : dice.between(1, 6);
    var text = new StringBuilder("{\"tasks\":[");
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",").append(task(dice));
    }
    return utf8(text.append("]}").toString());
  }

  static byte[] validTrigger(Dice dice) {
    return utf8(
        dice.oneOf(
            "",
            "{}",
            "{\"params\":{}}",
            "{\"params\":{\"greeting\":\"hi\"}}",
            "{\"logical_date\":\"2026-01-31T00:00:00Z\"}"));
  }

  private static String task(Dice dice) {
    var text = new StringBuilder("{\"command\":[\"/bin/true\"]");
    if (dice.oneIn(3)) {
      text.append(",\"name\":\"").append(Texts.name(dice)).append('"');
    }
    if (dice.oneIn(4)) {
      text.append(",\"priority\":").append(dice.between(1, 100));
    }
    if (dice.oneIn(4)) {
      text.append(",\"labels\":{\"a\":\"").append(dice.oneOf("ü", "b", "\\u00e9")).append("\"}");
    }
    if (dice.oneIn(4)) {
      text.append(",\"env\":{\"A\":\"").append(dice.below(9)).append("\"}");
    }
    if (dice.oneIn(5)) {
      text.append(",\"retry\":{\"max\":").append(dice.below(4)).append('}');
    }
    if (dice.oneIn(6)) {
      text.append(",\"idempotency_key\":\"k").append(dice.below(50)).append('"');
    }
    if (dice.oneIn(6)) {
      text.append(",\"tenant\":\"").append(dice.oneOf("default", "other")).append('"');
    }
    return text.append('}').toString();
  }

  /** A body that every route should refuse. */
  static byte[] broken(Dice dice, byte[] valid) {
    String text = new String(valid, StandardCharsets.UTF_8);
    return switch (dice.below(16)) {
      case 0 ->
          utf8(text.isEmpty() ? "{" : text.substring(0, dice.below(text.length())) + "\u0001");
      case 1 -> deep(dice.oneOf(20, 100, 1_000, 20_000, 200_000), dice.oneOf("[", "{\"a\":"));
      case 2 -> utf8("{\"command\":[\"a\"],\"priority\":" + dice.oneOf(NUMBERS) + ",\"zz\":1}");
      case 3 -> utf8("{\"" + dice.oneOf(FIELDS) + "\":" + value(dice, 0) + ",\"unknown-field\":1}");
      case 4 -> utf8("{\"command\":[\"a\\u0000b\"]}");
      case 5 -> utf8("{\"command\":[\"\\ud800\"],\"labels\":{\"\\udc00\":\"\\ud800x\"}}");
      case 6 -> utf8("{\"command\":[\"a\"],\"command\":" + value(dice, 1) + ",\"nope\":0}");
      case 7 -> withBytes(text, dice.bytes(dice.between(1, 20)));
      case 8 -> utf8("{\"name\":\"" + escaped(Texts.hostile(dice)) + "\"}");
      case 9 -> wide(dice);
      case 10 -> utf8("\ufeff" + text + "x");
      case 11 ->
          utf8(
              dice.oneOf(
                  "null", "[]", "\"\"", "1", "true", "'a'", "{a:1}", "{\"a\":1,}", "//x\n{", "[}"));
      case 12 -> utf8("{\"tasks\":" + value(dice, 0) + ",\"extra\":" + value(dice, 0) + "}");
      case 13 ->
          utf8("{\"tasks\":[" + "{},".repeat(dice.oneOf(1, 100, 999, 1_000, 1_001)) + "{}]}");
      case 14 ->
          utf8(
              "{\"params\":"
                  + value(dice, 0)
                  + ",\"version\":"
                  + dice.oneOf(NUMBERS)
                  + ",\"q\":2}");
      default ->
          utf8(
              "{\"command\":[\"a\"],\""
                  + dice.oneOf(FIELDS)
                  + "\":"
                  + value(dice, 0)
                  + ",\"no\":[]}");
    };
  }

  private static byte[] wide(Dice dice) {
    int bytes =
        dice.oneIn(12)
            ? dice.oneOf(7 << 20, (8 << 20) - 100, 9 << 20)
            : dice.oneOf(10_000, 100_000, 500_000);
    String item = dice.oneOf("{},", "[],", "0,", "\"\",", "{\"a\":1},", "null,");
    String head =
        dice.oneOf("{\"params\":{\"p\":[", "{\"tasks\":[", "{\"command\":[\"a\"],\"labels\":[");
    String tail = head.startsWith("{\"params\":{") ? "0]}}" : "0]}";
    return utf8(head + item.repeat(bytes / item.length()) + tail);
  }

  private static String value(Dice dice, int depth) {
    int most = depth > 4 ? 6 : 9;
    return switch (dice.below(most)) {
      case 0 -> dice.oneOf(NUMBERS);
      case 1 -> dice.oneOf("true", "false", "null", "tru");
      case 2, 3 -> '"' + escaped(Texts.hostile(dice)) + '"';
      case 4 -> Integer.toString(dice.between(-5, 200));
      case 5 -> dice.oneOf("[]", "{}", "\"\"");
      case 6 -> "[" + value(dice, depth + 1) + "," + value(dice, depth + 1) + "]";
      default ->
          "{\""
              + dice.oneOf(FIELDS)
              + "\":"
              + value(dice, depth + 1)
              + ",\""
              + dice.oneOf(FIELDS)
              + "\":"
              + value(dice, depth + 1)
              + "}";
    };
  }

  private static byte[] deep(int depth, String open) {
    return utf8("{\"command\":" + open.repeat(depth) + "1" + "}");
  }

  private static byte[] withBytes(String text, byte[] insides) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(utf8(text.isEmpty() ? "{\"a\":\"" : text.substring(0, text.length() / 2)));
    bytes.writeBytes(insides);
    bytes.writeBytes(new byte[] {(byte) 0xc3, (byte) 0x28, (byte) 0xff});
    return bytes.toByteArray();
  }

  static String escaped(String text) {
    var out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
