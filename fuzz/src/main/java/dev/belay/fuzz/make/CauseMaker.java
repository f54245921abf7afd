package dev.belay.fuzz.make;

import java.util.List;

/** Makes backfills, bulk operations and events. */
final class CauseMaker {

  private static final List<String> BAD_BACKFILLS =
      List.of(
          "\"from\": \"2026-02-01\", \"to\": \"2026-01-01\", \"cron\": \"@daily\"",
          "\"from\": \"0000-01-01\", \"to\": \"9999-12-31\", \"cron\": \"* * * * * *\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"0 0 30 2 *\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"@daily\", \"every\":"
              + " \"1d\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"every\": \"0s\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"every\": \"1ns\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"trigger\": \"nobody\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"@daily\", \"zone\":"
              + " \"../x\"",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"@daily\", \"concurrency\":"
              + " 0",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"@daily\", \"existing\":"
              + " []",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"@daily\", \"params\": 5",
          "\"from\": \"2026-01-01\", \"to\": \"2026-02-01\", \"cron\": \"@daily\", \"order\":"
              + " \"up\"",
          "\"from\": \"-999999999-01-01T00:00:00Z\", \"to\": \"+999999999-12-31T23:59:59Z\"",
          "\"from\": {}, \"to\": []",
          "\"from\": \"2026-01-01\"");

  private static final List<String> BAD_EVENTS =
      List.of(
          "\"data\": {}",
          "\"name\": \"../x\"",
          "\"name\": \"a\\u0000b\"",
          "\"name\": \"e\", \"data\": []",
          "\"name\": \"e\", \"data\": {\"a\": \"" + "x".repeat(2_000_000) + "\"}",
          "\"name\": \"e\", \"key\": \"\"",
          "\"name\": \"e\", \"key\": \"" + "k".repeat(256) + "\"",
          "\"name\": \"e\", \"key\": 1",
          "\"name\": \"e\", \"run_id\": \"no\"",
          "\"name\": \"e\", \"tenant\": \"A B\"",
          "\"events\": []",
          "\"events\": [1, 2, 3]",
          "\"events\": {\"name\": \"e\"}",
          "\"events\": [" + "{\"name\": \"e\"}, ".repeat(20_000) + "{\"name\": \"e\"}]",
          "\"events\": [{\"name\": \"e\"}, {\"name\": \"\"}]",
          "\"events\": [{\"name\": \"e\"}], \"name\": \"e\"");

  private static final List<String> BAD_BULKS =
      List.of(
          "",
          "\"kind\": \"cancel\"",
          "\"kind\": \"cancel\", \"filter\": {}",
          "\"kind\": \"cancel\", \"filter\": []",
          "\"kind\": \"explode\", \"filter\": {\"name\": \"x\"}",
          "\"kind\": 7, \"filter\": {\"name\": \"x\"}",
          "\"kind\": \"retry\", \"filter\": {\"state\": [\"SUCCEEDED\"]}",
          "\"kind\": \"retry\", \"filter\": {\"state\": [{}]}",
          "\"kind\": \"cancel\", \"filter\": {\"labels\": {\"a\": [1]}}",
          "\"kind\": \"cancel\", \"filter\": {\"run\": \"1-1-1-1\"}",
          "\"kind\": \"cancel\", \"filter\": {\"created_since\": \"+99999-01-01T00:00:00Z\"}",
          "\"kind\": \"cancel\", \"filter\": {\"name\": \"x\"}, \"rate\": 1e308",
          "\"kind\": \"priority\", \"filter\": {\"name\": \"x\"}, \"priority\": 1e9");

  private CauseMaker() {}

  /** Changes nothing: what the other requests refer to stays as it is. */
  static byte[] validBulk(Dice dice) {
    return JsonMaker.utf8(
        "{\"kind\": \"%s\", \"filter\": {\"created_since\": \"%s\", \"workflow\": \"caused\"}, \"dry_run\": true}"
            .formatted(
                dice.oneOf("cancel", "retry", "cancel_runs", "retry_runs"),
                dice.oneOf("1h", "1d", "2025-01-01T00:00:00Z")));
  }

  static byte[] badBulk(Dice dice) {
    return JsonMaker.utf8("{" + dice.oneOf(BAD_BULKS) + "}");
  }

  /** Without a worker, no more of its runs start than its concurrency allows. */
  static byte[] validBackfill(Dice dice) {
    return JsonMaker.utf8(
        "{\"from\": \"2025-01-01\", \"to\": \"%s\", \"cron\": \"%s\", \"order\": \"%s\", \"concurrency\": %d, \"dry_run\": %s}"
            .formatted(
                dice.oneOf("2025-01-10", "2025-12-31"),
                dice.oneOf("@daily", "@weekly", "0 2 * * *"),
                dice.oneOf("forward", "back"),
                dice.between(1, 3),
                dice.oneIn(3)));
  }

  static byte[] badBackfill(Dice dice) {
    return JsonMaker.utf8("{" + dice.oneOf(BAD_BACKFILLS) + "}");
  }

  /** No trigger with a window waits for these, so that each takes effect at once. */
  static byte[] validEvent(Dice dice) {
    String event = event(dice);
    return JsonMaker.utf8(
        dice.oneIn(2) ? event : "{\"events\": [%s, %s]}".formatted(event, event(dice)));
  }

  private static String event(Dice dice) {
    return "{\"name\": \"fuzzed\", \"key\": \"%d\", \"data\": {\"size\": %d}}"
        .formatted(dice.any(), dice.below(9));
  }

  static byte[] badEvent(Dice dice) {
    return JsonMaker.utf8("{" + dice.oneOf(BAD_EVENTS) + "}");
  }

  static byte[] hookBody(Dice dice) {
    return JsonMaker.utf8("{\"size\": %d}".formatted(dice.below(9)));
  }
}
