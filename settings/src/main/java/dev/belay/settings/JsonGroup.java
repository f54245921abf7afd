package dev.belay.settings;

import static dev.belay.settings.Setting.bytes;
import static dev.belay.settings.Setting.count;

/** Size and depth limits of a JSON body or a workflow file. */
public final class JsonGroup {

  static final Group GROUP =
      new Group("JSON bodies and files", ProcessKind.SERVER, ProcessKind.LITE);

  public static final Setting<Integer> JSON_VALUES_MAX =
      GROUP.add(
          count(
              "json-values-max", 100_000, 10, 10_000_000, "a JSON body may hold this many values"));

  public static final Setting<Integer> JSON_DEPTH_MAX =
      GROUP.add(count("json-depth-max", 200, 5, 200, "a JSON body may be nested this deep"));

  public static final Setting<Long> JSON_STRING_MAX =
      GROUP.add(
          bytes(
              "json-string-max",
              "4MiB",
              "1KiB",
              "256MiB",
              "a string in a JSON body may be this long"));

  public static final Setting<Integer> JSON_NUMBER_MAX =
      GROUP.add(
          count(
              "json-number-max",
              400,
              20,
              1_000,
              "a number in a JSON body may have this many characters"));

  public static final Setting<Integer> JSON_NAME_MAX =
      GROUP.add(
          count(
              "json-name-max",
              1_000,
              50,
              50_000,
              "a field name in a JSON body may have this many characters"));

  public static final Setting<Integer> JSON_KEYS_MAX =
      GROUP.add(
          count(
              "json-keys-max",
              10_000,
              10,
              1_000_000,
              "an object in a JSON body may have this many fields"));

  public static final Setting<Integer> WORKFLOW_VALUES_MAX =
      GROUP.add(
          count(
              "workflow-values-max",
              300_000,
              100,
              1_000_000,
              "a workflow file may hold this many values, with its aliases written out"));

  private JsonGroup() {}
}
