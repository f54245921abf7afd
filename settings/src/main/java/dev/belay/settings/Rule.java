package dev.belay.settings;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A condition between settings.
 *
 * @param about checked in every process that has all of them
 * @param text the condition and its reason
 * @param example values that break it, like {@code heartbeat=31s}: every rule must be able to fail
 */
public record Rule(
    List<Setting<?>> about, Predicate<Settings> holds, String text, List<String> example) {

  public Rule {
    about = List.copyOf(about);
    example = List.copyOf(example);
  }

  /** {@code times} one setting must be less than the other. */
  static Rule below(
      int times, Setting<Duration> less, Setting<Duration> more, String why, String... example) {
    String what = times == 1 ? less.name() : times + " times " + less.name();
    return new Rule(
        List.of(less, more),
        values -> values.of(less).multipliedBy(times).compareTo(values.of(more)) < 0,
        "%s must be below %s: %s".formatted(what, more.name(), why),
        List.of(example));
  }

  static <T> Rule atMost(Setting<T> less, Setting<T> more, String why, String... example) {
    var order = java.util.Objects.requireNonNull(less.type().order());
    return new Rule(
        List.of(less, more),
        values -> order.compare(values.of(less), values.of(more)) <= 0,
        "%s must not be above %s: %s".formatted(less.name(), more.name(), why),
        List.of(example));
  }

  boolean appliesTo(ProcessKind process) {
    return about.stream().allMatch(setting -> setting.isOf(process));
  }

  /** Describes the violation, with each value and its source. */
  String complaint(Settings values) {
    return text
        + ". Now "
        + about.stream()
            .map(
                setting ->
                    "%s is %s (%s)"
                        .formatted(
                            setting.name(), values.shown(setting), values.source(setting).text()))
            .collect(Collectors.joining(", "))
        + ".";
  }
}
