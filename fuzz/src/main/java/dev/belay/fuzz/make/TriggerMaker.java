package dev.belay.fuzz.make;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes workflow and system files with triggers and calendars. Those that are valid fire in a far
 * future, so that nothing changes while the fuzzer compares states.
 */
final class TriggerMaker {

  private static final List<String> CRONS =
      List.of(
          "0 2 * * *",
          "*/5 * * * * *",
          "0 0 L * *",
          "0 12 15W JAN-MAR MON#2",
          "@yearly",
          "59 23 31 12 *",
          "0 0 29 2 *");

  private static final List<String> BAD_CRONS =
      List.of(
          "",
          "* * * *",
          "60 * * * *",
          "*/0 * * * *",
          "*/999999999999 * * * *",
          "1-99999 * * * *",
          "0 0 30 2 *",
          "0 0 31 2,4 *",
          "L L L L L",
          "0 0 32W * *",
          "0 0 * * 9#9",
          "@never",
          "* * * * * * * *",
          "0,".repeat(120) + "0 * * * *",
          "0,".repeat(100_000) + "0 * * * *",
          "-1 * * * *",
          "１ * * * *",
          "0 0 * * MON\0");

  private static final List<String> BAD_KEYS =
      List.of(
          "jitter: 365d",
          "jitter: -1s",
          "every: 5m",
          "every: 0s",
          "every: 99999999999999999d",
          "at: now",
          "at: \"+999999999-12-31T23:59:59\"",
          "at: \"2026-02-30T00:00:00\"",
          "timezone: " + "Europe/".repeat(20_000),
          "timezone: ../../etc/localtime",
          "timezone: +99:99",
          "timezone: \"\\u0000\"",
          "dst: {gap: never}",
          "dst: [shift]",
          "start: 2199-12-31, end: 1970-01-01",
          "start: {a: b}",
          "calendar: ../x",
          "missed: sometimes",
          "missed_max: 99999999999",
          "missed_max: 0",
          "on: [succeeded, succeeded, failed, failed, ended, ended]",
          "on: {}",
          "when: \"${{ event }}\"",
          "batch: {max: 1000000000, wait: 3650d}",
          "batch: {max: 10, wait: 1m}, debounce: 5s",
          "debounce: []",
          "name: \"a b\"",
          "name: " + "x".repeat(5_000),
          "params: {nope: 1}",
          "params: {p: [[[[[[[[[[1]]]]]]]]]]}",
          "params: {p: \"${{ event }}\"}",
          "params: 5",
          "workflow: bombs",
          "event: \"\"");

  private static final List<String> EVENTS =
      List.of(
          "when: \"${{ event.size > 0 }}\"",
          "when: \"${{ 'a'.matches('(a?){900}b') || event.a.b.c[0] == 1 }}\"",
          "when: \"${{ event.exists(x, event.exists(y, event.exists(z, x+y+z == 99))) }}\"",
          "debounce: 5s",
          "debounce: {quiet: 100ms, max: 10d}",
          "batch: {max: 1000, wait: 1d}",
          "batch: {max: 2, wait: 1s}, params: {p: \"${{ string(events.size()) }}\"}",
          "params: {p: \"x ${{ event }} y\"}");

  private static final List<String> CALENDARS =
      List.of(
          "c0: {business_days: true}",
          "c1: {dates: [\"2026-12-24..2027-01-01\", 2026-05-01]}",
          "c2: {weekdays: [mon, tue], description: \"x\"}",
          "c3: {}");

  private static final List<String> BAD_CALENDARS =
      List.of(
          "c0: {weekdays: [mon, tue, wed, thu, fri, sat, sun]}",
          "c0: {dates: [2026-02-30]}",
          "c0: {dates: [\"2027-01-01..2026-01-01\"]}",
          "c0: {dates: [\"2026-01-01..2026-01-02..2026-01-03\"]}",
          "c0: {dates: [" + "2026-01-01, ".repeat(3_000) + "]}",
          "c0: {weekdays: mon}",
          "c0: {business_days: 1}",
          "C0: {}",
          "c0: []");

  private TriggerMaker() {}

  /** A workflow file that is probably valid. */
  static byte[] plausible(Dice dice) {
    var text = new StringBuilder(head(dice));
    int triggers = dice.between(1, 6);
    for (int i = 0; i < triggers; i++) {
      text.append("  - {name: t").append(i).append(", ").append(trigger(dice)).append("}\n");
    }
    return JsonMaker.utf8(text + limits(dice) + "task: {command: [/bin/true]}\n");
  }

  private static String trigger(Dice dice) {
    return switch (dice.below(5)) {
      case 0 ->
          "cron: \"%s\", timezone: %s, start: 2150-01-01, jitter: %s"
              .formatted(
                  dice.oneOf(CRONS),
                  dice.oneOf("UTC", "Europe/Berlin", "Australia/Lord_Howe"),
                  dice.oneOf("0s", "30s", "1d"));
      case 1 -> "every: 3650d, start: \"2150-06-01T02:30:00\", anchor: 2000-01-01";
      case 2 -> "at: \"2198-12-24T18:00:00\", dst: {gap: skip, repeat: last}";
      case 3 -> "workflow: " + Texts.name(dice) + "-none, on: [failed, ended]";
      default -> "event: e, " + dice.oneOf(EVENTS);
    };
  }

  private static String limits(Dice dice) {
    return dice.oneOf(
        "",
        "run: {max_active: 1, overlap: skip, timeout: 1h, deadline: 2h}\n",
        "run: {max_active: 10000, overlap: cancel_running}\n");
  }

  /** A workflow or system file that the server should refuse, with rare exceptions. */
  static byte[] broken(Dice dice) {
    return switch (dice.below(6)) {
      case 0 -> file(dice, "  - {cron: \"" + dice.oneOf(BAD_CRONS) + "\"}\n");
      case 1 ->
          file(
              dice,
              "  - {at: \"2198-12-24T18:00:00\", name: t}\n".repeat(dice.oneOf(2, 101, 5_000)));
      case 2 -> bomb(dice);
      case 3 -> file(dice, "  - " + dice.oneOf("5", "[]", "{}", "x: y", "*a", "") + "\n");
      default ->
          file(
              dice,
              "  - {%s, %s}\n"
                  .formatted(
                      dice.oneOf("cron: \"@yearly\"", "at: \"2198-12-24T18:00:00\"", "event: e"),
                      dice.oneOf(BAD_KEYS)));
    };
  }

  /** A set to apply that is probably valid. */
  static byte[] set(Dice dice) {
    return set(
        "name: applied-%d\ntask: {command: ['%d']}".formatted(dice.below(5), dice.below(5)),
        dice.oneIn(2) ? system(dice.oneOf(CALENDARS)) : null);
  }

  /** A set that the server should refuse: circles, unknown calendars, broken files. */
  static byte[] brokenSet(Dice dice) {
    return switch (dice.below(4)) {
      case 0 -> set(text(broken(dice)), system(dice.oneOf(CALENDARS)));
      case 1 -> set("name: a\ntask: {command: [x]}", system(dice.oneOf(BAD_CALENDARS)));
      case 2 ->
          set(chained("circle-a", "workflow: circle-b"), chained("circle-b", "workflow: circle-a"));
      default ->
          set(chained("lost", "at: 2198-01-01, calendar: none-%d".formatted(dice.below(9))), null);
    };
  }

  private static String system(String calendar) {
    return "kind: system\ncalendars: {%s}\n".formatted(calendar);
  }

  private static String chained(String name, String trigger) {
    return "name: %s\ntriggers: [{%s}]\ntask: {command: [x]}\n".formatted(name, trigger);
  }

  private static byte[] set(String first, @Nullable String second) {
    var files = new StringBuilder("{\"files\": [").append(entry("a.yaml", first));
    if (second != null) {
      files.append(", ").append(entry("b.yaml", second));
    }
    return JsonMaker.utf8(files + "]}");
  }

  private static String entry(String file, String source) {
    return "{\"file\": \"%s\", \"source\": \"%s\"}".formatted(file, JsonMaker.escaped(source));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static String head(Dice dice) {
    return "name: %s\nparams: {p: {type: %s, default: \"1\"}}\ntriggers:\n"
        .formatted(Texts.name(dice), dice.oneOf("string", "string", "json"));
  }

  private static byte[] file(Dice dice, String triggers) {
    return JsonMaker.utf8(head(dice) + triggers + "task: {command: [x]}\n");
  }

  /** Params by alias: a small file, a huge spec. */
  private static byte[] bomb(Dice dice) {
    var text =
        new StringBuilder("name: bombs\nparams: {p: {type: json, default: 1}}\nx-a: &a [")
            .append("1234567890, ".repeat(dice.oneOf(100, 2_000, 20_000)))
            .append("]\ntriggers:\n");
    for (int i = 0; i < 100; i++) {
      text.append("  - {name: t").append(i).append(", event: e, params: {p: [*a, *a, *a]}}\n");
    }
    return JsonMaker.utf8(text + "run: {overlap: skip}\ntask: {command: [x]}\n");
  }
}
