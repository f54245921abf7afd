package dev.belay.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One setting, declared once. Immutable; the methods that start with a preposition return a copy,
 * for use in a declaration.
 */
public final class Setting<T> {

  private final String name;
  private final SettingType<T> type;
  private final String meaning;
  private final Facts<T> facts;

  /**
   * The optional parts of a declaration.
   *
   * @param min null: no lower bound
   * @param processes empty: those of the group
   * @param oldFlags former flags with this meaning; they still work
   */
  private record Facts<T>(
      @Nullable Default<T> usual,
      @Nullable Default<T> inLite,
      @Nullable T min,
      @Nullable T max,
      Set<ProcessKind> processes,
      List<String> oldFlags,
      Set<ProcessKind> required,
      boolean secret,
      boolean everyday) {}

  /**
   * A default: its text in the reference, and its value in a process.
   *
   * @param value may depend on other settings, never in a cycle
   */
  private record Default<T>(String text, Function<Settings, T> value) {}

  private Setting(String name, SettingType<T> type, String meaning, Facts<T> facts) {
    this.name = name;
    this.type = type;
    this.meaning = meaning;
    this.facts = facts;
  }

  public static Setting<Duration> duration(
      String name, String byDefault, String min, String max, String meaning) {
    return bounded(name, SettingType.DURATION, byDefault, min, max, meaning);
  }

  public static Setting<Long> bytes(
      String name, String byDefault, String min, String max, String meaning) {
    return bounded(name, SettingType.BYTES, byDefault, min, max, meaning);
  }

  public static Setting<Integer> count(
      String name, int byDefault, int min, int max, String meaning) {
    return bounded(name, SettingType.COUNT, "" + byDefault, "" + min, "" + max, meaning);
  }

  public static Setting<Double> share(
      String name, String byDefault, String min, String max, String meaning) {
    return bounded(name, SettingType.SHARE, byDefault, min, max, meaning);
  }

  public static Setting<Integer> processors(
      String name, String byDefault, String min, String max, String meaning) {
    return bounded(name, SettingType.PROCESSORS, byDefault, min, max, meaning);
  }

  public static Setting<List<String>> command(String name, String meaning) {
    return plain(name, SettingType.COMMAND, meaning);
  }

  public static Setting<Boolean> flag(String name, String meaning) {
    return plain(name, SettingType.FLAG, meaning).byDefault("false");
  }

  public static Setting<String> text(String name, String meaning) {
    return plain(name, SettingType.TEXT, meaning);
  }

  public static Setting<Path> path(String name, String meaning) {
    return plain(name, SettingType.PATH, meaning);
  }

  public static <T> Setting<List<T>> list(String name, SettingType<T> item, String meaning) {
    return plain(name, SettingType.listOf(item), meaning);
  }

  private static <T> Setting<T> bounded(
      String name, SettingType<T> type, String byDefault, String min, String max, String meaning) {
    var plain = plain(name, type, meaning);
    var facts = plain.facts;
    return plain
        .with(
            new Facts<>(
                facts.usual,
                facts.inLite,
                plain.read(min),
                plain.read(max),
                facts.processes,
                facts.oldFlags,
                facts.required,
                false,
                false))
        .byDefault(byDefault);
  }

  private static <T> Setting<T> plain(String name, SettingType<T> type, String meaning) {
    return new Setting<>(
        name,
        type,
        meaning,
        new Facts<>(null, null, null, null, Set.of(), List.of(), Set.of(), false, false));
  }

  private Setting<T> with(Facts<T> other) {
    return new Setting<>(name, type, meaning, other);
  }

  private T read(String text) {
    return type.parse(text)
        .orElseThrow(
            () -> new IllegalArgumentException(name + ": " + text + " is no " + type.word()));
  }

  Setting<T> byDefault(String text) {
    T value = read(text);
    return withDefaults(new Default<>(type.format(value), _ -> value), facts.inLite);
  }

  /**
   * @param text describes the function's result
   */
  Setting<T> byDefault(String text, Function<Settings, T> value) {
    return withDefaults(new Default<>(text, value), facts.inLite);
  }

  /** Another default in {@code belay lite}. */
  Setting<T> inLite(String text) {
    T value = read(text);
    return withDefaults(facts.usual, new Default<>(type.format(value), _ -> value));
  }

  private Setting<T> withDefaults(@Nullable Default<T> usual, @Nullable Default<T> inLite) {
    return with(
        new Facts<>(
            usual,
            inLite,
            facts.min,
            facts.max,
            facts.processes,
            facts.oldFlags,
            facts.required,
            facts.secret,
            facts.everyday));
  }

  Setting<T> only(ProcessKind first, ProcessKind... others) {
    return withFlags(
        EnumSet.of(first, others), facts.oldFlags, facts.required, facts.secret, facts.everyday);
  }

  /** A former flag with this meaning, without its dashes. */
  Setting<T> formerly(String flag) {
    return withFlags(
        facts.processes, List.of("--" + flag), facts.required, facts.secret, facts.everyday);
  }

  /** These processes do not start without it. */
  Setting<T> required(ProcessKind first, ProcessKind... others) {
    return withFlags(
        facts.processes, facts.oldFlags, EnumSet.of(first, others), facts.secret, facts.everyday);
  }

  /** Never shown, and without a flag, because other users can see the command line. */
  Setting<T> secret() {
    return withFlags(facts.processes, facts.oldFlags, facts.required, true, facts.everyday);
  }

  /** {@code --help} shows its flag. */
  Setting<T> everyday() {
    return withFlags(facts.processes, facts.oldFlags, facts.required, facts.secret, true);
  }

  private Setting<T> withFlags(
      Set<ProcessKind> processes,
      List<String> oldFlags,
      Set<ProcessKind> required,
      boolean secret,
      boolean everyday) {
    return with(
        new Facts<>(
            facts.usual,
            facts.inLite,
            facts.min,
            facts.max,
            Set.copyOf(processes),
            oldFlags,
            Set.copyOf(required),
            secret,
            everyday));
  }

  /** The name in the file. */
  public String name() {
    return name;
  }

  public String flag() {
    return "--" + name;
  }

  public List<String> oldFlags() {
    return facts.oldFlags;
  }

  /** The name in the environment. */
  public String variable() {
    return "BELAY_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  public SettingType<T> type() {
    return type;
  }

  public String meaning() {
    return meaning;
  }

  public boolean isRequiredBy(ProcessKind process) {
    return facts.required.contains(process);
  }

  public boolean isSecret() {
    return facts.secret;
  }

  public boolean isEveryday() {
    return facts.everyday;
  }

  public Set<ProcessKind> processes() {
    return facts.processes;
  }

  public boolean isOf(ProcessKind process) {
    return facts.processes.contains(process);
  }

  /** "1s to 1m"; empty when the type's values are all valid. */
  public String bounds() {
    return facts.min == null || facts.max == null
        ? ""
        : type.format(facts.min) + " to " + type.format(facts.max);
  }

  Optional<T> min() {
    return Optional.ofNullable(facts.min);
  }

  Optional<T> max() {
    return Optional.ofNullable(facts.max);
  }

  boolean isWithinBounds(T value) {
    var order = type.order();
    return order == null
        || ((facts.min == null || order.compare(value, facts.min) >= 0)
            && (facts.max == null || order.compare(value, facts.max) <= 0));
  }

  /** The default in words, the same on every machine; empty when there is none. */
  public String defaultText(ProcessKind process) {
    Default<T> chosen = chooseDefault(process);
    return chosen == null ? "" : chosen.text();
  }

  Optional<T> defaultIn(Settings settings) {
    Default<T> chosen = chooseDefault(settings.process());
    return chosen == null ? Optional.empty() : Optional.of(chosen.value().apply(settings));
  }

  private @Nullable Default<T> chooseDefault(ProcessKind process) {
    return process == ProcessKind.LITE && facts.inLite != null ? facts.inLite : facts.usual;
  }

  @Override
  public String toString() {
    return name;
  }
}
