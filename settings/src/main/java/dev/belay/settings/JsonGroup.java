package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;

/** How large and deep a body of JSON, or a workflow file, may be. */
public final class JsonGroup {

  static final Group GROUP =
      new Group("JSON bodies and files", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> JSON_VALUES_MAX =
      GROUP.add(
          count("json-values-max", 100_000, 10, 10_000_000, "the most values in a JSON body"));

  public static final Setting<Integer> JSON_DEPTH_MAX =
      GROUP.add(count("json-depth-max", 200, 5, 200, "the deepest nesting of a JSON body"));

  public static final Setting<Long> JSON_STRING_MAX =
      GROUP.add(
          bytes("json-string-max", "4MiB", "1KiB", "256MiB", "the longest text in a JSON body"));

  public static final Setting<Integer> JSON_NUMBER_MAX =
      GROUP.add(
          count(
              "json-number-max", 400, 20, 1_000, "the most characters of a number in a JSON body"));

  public static final Setting<Integer> JSON_NAME_MAX =
      GROUP.add(
          count(
              "json-name-max",
              1_000,
              50,
              50_000,
              "the most characters of a field's name in a JSON body"));

  public static final Setting<Integer> JSON_KEYS_MAX =
      GROUP.add(
          count(
              "json-keys-max",
              10_000,
              10,
              1_000_000,
              "the most fields of one object in a JSON body"));

  public static final Setting<Integer> WORKFLOW_VALUES_MAX =
      GROUP.add(
          count(
              "workflow-values-max",
              300_000,
              100,
              1_000_000,
              "the most values in a workflow file, with its aliases written out"));

  private JsonGroup() {}
}
