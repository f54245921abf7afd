package dev.belay.settings;

import dev.belay.workflow.Durations;
import dev.belay.workflow.Sizes;
import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The written form of a value, and how to read it.
 *
 * @param word the type's name in the reference
 * @param form how a person writes a value
 * @param order compares two values; null where bounds have no meaning
 */
public record SettingType<T>(
    String word,
    String form,
    Function<String, Optional<T>> reader,
    Function<T, String> writer,
    @Nullable Comparator<T> order) {

  static final String PROCESSORS_PATTERN = "[0-9]{1,6}([.][0-9]{1,3})?";

  public static final SettingType<Duration> DURATION =
      new SettingType<Duration>(
          "duration",
          "a duration, like 500ms, 10s or 2m",
          Durations::parse,
          Durations::format,
          Comparator.naturalOrder());

  public static final SettingType<Long> BYTES =
      new SettingType<Long>(
          "bytes", Sizes.EXPECTED, Sizes::parse, Sizes::format, Comparator.naturalOrder());

  public static final SettingType<Integer> COUNT =
      new SettingType<Integer>(
          "count",
          "a whole number, like 500",
          text ->
              text.matches("[0-9]{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty(),
          String::valueOf,
          Comparator.naturalOrder());

  /** A part of a whole. */
  public static final SettingType<Double> SHARE =
      new SettingType<Double>(
          "share",
          "a share between 0 and 1, like 0.3",
          text ->
              text.matches("[01]|[01]?\\.[0-9]{1,6}")
                  ? Optional.of(Double.valueOf(text))
                  : Optional.empty(),
          String::valueOf,
          Comparator.naturalOrder());

  public static final SettingType<Boolean> FLAG =
      new SettingType<Boolean>(
          "boolean",
          "true or false",
          text ->
              switch (text) {
                case "true" -> Optional.of(true);
                case "false" -> Optional.of(false);
                default -> Optional.empty();
              },
          String::valueOf,
          null);

  public static final SettingType<String> TEXT =
      new SettingType<String>(
          "text",
          "text on one line, not empty",
          text ->
              text.isBlank() || text.chars().anyMatch(Character::isISOControl)
                  ? Optional.empty()
                  : Optional.of(text),
          text -> text,
          null);

  /** A name and a value. */
  public static final SettingType<String> PAIR =
      new SettingType<String>(
          "pair",
          "a name and a value, like zone=a",
          text -> TEXT.parse(text).filter(pair -> pair.indexOf('=') > 0),
          text -> text,
          null);

  /** A name that other names are compared with, such as that of a capability. */
  public static final SettingType<String> NAME =
      new SettingType<String>(
          "name",
          "a name of letters, digits and . _ - / :, like gpu, at most 100 characters",
          text ->
              text.matches("[A-Za-z0-9][A-Za-z0-9._/:-]{0,99}")
                  ? Optional.of(text)
                  : Optional.empty(),
          text -> text,
          null);

  /** Thousandths of a processor. */
  public static final SettingType<Integer> PROCESSORS =
      new SettingType<Integer>(
          "processors",
          "a number of processors, like 4 or 0.5",
          text ->
              text.matches(PROCESSORS_PATTERN)
                  ? Optional.of(new BigDecimal(text).movePointRight(3).intValueExact())
                  : Optional.empty(),
          millis -> BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString(),
          Comparator.naturalOrder());

  /** A program and its arguments. */
  public static final SettingType<List<String>> COMMAND =
      new SettingType<List<String>>(
          "command",
          "a program and its arguments with spaces between them; no shell reads it",
          text -> TEXT.parse(text).map(line -> List.of(line.strip().split(" +"))),
          words -> String.join(" ", words),
          null);

  public static final SettingType<Path> PATH =
      new SettingType<Path>(
          "path", "a path of this machine", SettingType::parsePath, Path::toString, null);

  /** Several values, separated by commas, or as a list in the file. */
  public static <T> SettingType<List<T>> listOf(SettingType<T> item) {
    return new SettingType<>(
        "list of " + item.word(),
        "one or more, separated by commas; each is " + item.form(),
        text -> parseAll(text, item),
        values -> String.join(",", values.stream().map(item.writer()).toList()),
        null);
  }

  public Optional<T> parse(String text) {
    return reader.apply(text);
  }

  public String format(T value) {
    return writer.apply(value);
  }

  public boolean isList() {
    return word.startsWith("list of ");
  }

  private static Optional<Path> parsePath(String text) {
    if (text.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static <T> Optional<List<T>> parseAll(String text, SettingType<T> item) {
    List<T> values = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      Optional<T> value = item.parse(one.strip());
      if (value.isEmpty()) {
        return Optional.empty();
      }
      values.add(value.get());
    }
    return Optional.of(List.copyOf(values));
  }
}
