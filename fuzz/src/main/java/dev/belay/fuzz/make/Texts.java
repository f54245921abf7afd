package dev.belay.fuzz.make;

import java.util.List;

/** Texts that break careless code. */
final class Texts {

  private static final List<String> HOSTILE =
      List.of(
          "",
          " ",
          "\0",
          "a\0b",
          "\ud800",
          "\udfff\ud800",
          "\ufffe\uffff",
          "\u202e\u0000",
          "ﷺ",
          "👩‍👩‍👧‍👦",
          "Z͑ͫ̓ͪ̂ͫ̽͏",
          "İıſK",
          "' OR 1=1 --",
          "'; DROP TABLE task; --",
          "\\",
          "\"",
          "${{ 1 }}",
          "${jndi:ldap://127.0.0.1/a}",
          "../../../../etc/passwd",
          "..%2f..%2f",
          "%s%n%x",
          "{}",
          "[]",
          "null",
          "true",
          "NaN",
          "-1",
          "0",
          "1e999999",
          "-9223372036854775809",
          "99999999999999999999999999999999",
          "0x7fffffff",
          "2147483648",
          "1-1-1-1-1",
          "00000000-0000-0000-0000-000000000000",
          "ffffffff-ffff-ffff-ffff-ffffffffffff",
          "2026-13-45T99:99:99Z",
          "+1000000000-12-31T23:59:59.999999999Z",
          "-1s",
          "99999999999999999d",
          "PT1S",
          "\r\nX-Injected: yes",
          "\u001b[2J",
          "<script>alert(1)</script>");

  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~ /:%éÿ\u0001\u007f";

  private Texts() {}

  static String hostile(Dice dice) {
    return switch (dice.below(12)) {
      case 0 -> "x".repeat(dice.oneOf(255, 256, 1_000, 10_000));
      case 1 -> "é".repeat(dice.oneOf(128, 255, 300));
      case 2 -> random(dice, dice.between(1, 40));
      default -> dice.oneOf(HOSTILE);
    };
  }

  static String random(Dice dice, int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(dice.below(LETTERS.length())));
    }
    return text.toString();
  }

  /** A name that Belay accepts. */
  static String name(Dice dice) {
    return dice.oneOf("alpha", "beta", "gamma", "delta") + "-" + dice.below(1_000);
  }
}
