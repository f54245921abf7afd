package dev.belay.fuzz.make;

import java.util.Map;

/** Bodies that declare pools, topics and tenants, and that purge dead letters. */
final class SystemMaker {

  private static final Map<String, String[]> VALID =
      Map.of(
          "PUT_POOL",
          new String[] {
            "{}",
            "{\"slots\": 7, \"strategy\": \"pack\"}",
            "{\"state\": \"draining\", \"capabilities\": [\"gpu\"], \"description\": \"fuzzed\"}"
          },
          "PUT_TOPIC",
          new String[] {
            "{\"pools\": [\"nobody\"]}",
            "{\"pools\": [\"nobody\", \"fuzzed-pool-1\"], \"description\": \"fuzzed\"}"
          },
          "PUT_TENANT",
          new String[] {
            "{}",
            "{\"weight\": 3}",
            "{\"max_running\": 5, \"max_waiting\": 100, \"submit_rate\": 10}"
          },
          "PURGE_DEAD_LETTERS",
          new String[] {
            "{\"older_than\": \"30d\"}", "{\"older_than\": \"1h\", \"dry_run\": true}"
          });

  private static final String[] BAD = {
    "{\"slots\": -1}",
    "{\"slots\": 1e99}",
    "{\"state\": \"gone\"}",
    "{\"strategy\": 7}",
    "{\"capabilities\": {}}",
    "{\"capabilities\": [\"\\u0000\"]}",
    "{\"pools\": \"nobody\"}",
    "{\"pools\": [\"a\", \"a\", null]}",
    "{\"weight\": 0}",
    "{\"weight\": -9223372036854775809}",
    "{\"max_running\": \"many\"}",
    "{\"submit_rate\": \"1/\"}",
    "{\"older_than\": \"-1d\"}",
    "{\"older_than\": \"\"}",
    "{\"unknown\": 1}",
    "[]",
    "null",
    "{"
  };

  private SystemMaker() {}

  static byte[] valid(String route, Dice dice) {
    return JsonMaker.utf8(dice.oneOf(VALID.getOrDefault(route, BAD)));
  }

  static byte[] bad(Dice dice) {
    return JsonMaker.utf8(dice.oneOf(BAD));
  }
}
