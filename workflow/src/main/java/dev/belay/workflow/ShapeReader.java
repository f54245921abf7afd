package dev.belay.workflow;

import dev.belay.domain.spec.RunLimits;
import dev.belay.domain.spec.Times;
import dev.belay.workflow.tree.Node;
import dev.belay.workflow.tree.Node.Kind;
import dev.belay.workflow.tree.Place;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads nodes by their shapes and reports mismatches. */
final class ShapeReader {

  private static final String IGNORED_PREFIX = "x-";
  private static final int SHOWN_CHARS_MAX = 40;

  private static final Pattern DAILY_TIME =
      Pattern.compile("((?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?)(?: +(\\S{1,100}))?");

  private final Problems problems;

  ShapeReader(Problems problems) {
    this.problems = problems;
  }

  /**
   * The value of a node, or null when it does not have the shape.
   *
   * @param name for problems; called only then
   */
  @Nullable Value read(Supplier<String> name, Node node, Shape shape) {
    return switch (shape) {
      case Shape.Text text -> text(name, node, text);
      case Shape.Word word -> word(name, node, word);
      case Shape.Whole whole -> whole(name, node, whole);
      case Shape.Decimal decimal -> decimal(name, node, decimal);
      case Shape.Flag flag -> flag(name, node, flag);
      case Shape.Span span -> span(name, node, span);
      case Shape.Bytes bytes -> bytes(name, node, bytes);
      case Shape.Time time -> time(name, node, time);
      case Shape.Zone zone -> zone(name, node, zone);
      case Shape.DailyTime time -> dailyTime(name, node, time);
      case Shape.ShortOrLong either ->
          read(name, node, node instanceof Node.Scalar ? either.brief() : either.full());
      case Shape.Items items -> items(name, node, items);
      case Shape.Entries entries -> entries(name, node, entries);
      case Shape.Fields fields -> fields(name, node, fields);
      case Shape.AnyJson any -> new Value.Any(node);
      case Shape.OrLater later -> orLater(name, node, later);
    };
  }

  private @Nullable Value text(Supplier<String> name, Node node, Shape.Text shape) {
    if (!(node instanceof Node.Scalar scalar) || scalar.kind() == Kind.NULL) {
      return misfit(name, node, shape.expected());
    }
    if (scalar.text().length() > shape.charsMax()) {
      problems.add(
          node.at(), "%s is longer than %d characters".formatted(name.get(), shape.charsMax()));
      return null;
    }
    return fits(scalar.text(), shape.rule())
        ? new Value.Text(scalar)
        : misfit(name, node, shape.expected());
  }

  private @Nullable Value word(Supplier<String> name, Node node, Shape.Word shape) {
    if (!(node instanceof Node.Scalar scalar) || scalar.kind() == Kind.NULL) {
      return misfit(name, node, shape.expected());
    }
    if (shape.words().contains(scalar.text())) {
      return new Value.Text(scalar);
    }
    problems.add(
        node.at(),
        "%s must be %s, not %s%s"
            .formatted(
                name.get(),
                shape.expected(),
                shown(node),
                problems.takesHint() ? meantWord(name.get(), scalar.text(), shape) : ""));
    return null;
  }

  private static String meantWord(String name, String typed, Shape.Word shape) {
    return name.equals("'type'")
        ? OtherTools.type(typed)
            .map("; did you mean '%s'?"::formatted)
            .orElseGet(() -> Suggestion.after(typed, shape.words(), ""))
        : Suggestion.after(typed, shape.words(), "");
  }

  private @Nullable Value whole(Supplier<String> name, Node node, Shape.Whole shape) {
    return node.value() instanceof Long number && number >= shape.min() && number <= shape.max()
        ? new Value.Plain(node, number.intValue())
        : misfit(name, node, shape.expected());
  }

  private @Nullable Value decimal(Supplier<String> name, Node node, Shape.Decimal shape) {
    double number = node.value() instanceof Number given ? given.doubleValue() : Double.NaN;
    return number >= shape.min() && number <= shape.max()
        ? new Value.Plain(node, number)
        : misfit(name, node, shape.expected());
  }

  private @Nullable Value flag(Supplier<String> name, Node node, Shape.Flag shape) {
    return node.value() instanceof Boolean flag
        ? new Value.Plain(node, flag)
        : misfit(name, node, shape.expected());
  }

  private @Nullable Value span(Supplier<String> name, Node node, Shape.Span shape) {
    if (node instanceof Node.Scalar scalar) {
      Optional<Duration> duration = Durations.parse(scalar.text());
      if (duration.isPresent() && shape.holds(duration.get())) {
        return new Value.Plain(node, duration.get());
      }
    }
    return misfit(name, node, shape.expected());
  }

  private @Nullable Value bytes(Supplier<String> name, Node node, Shape.Bytes shape) {
    if (node instanceof Node.Scalar scalar) {
      Optional<Long> bytes = Sizes.parse(scalar.text());
      if (bytes.isPresent() && bytes.get() >= shape.min() && bytes.get() <= shape.max()) {
        return new Value.Plain(node, bytes.get());
      }
    }
    return misfit(name, node, shape.expected());
  }

  private @Nullable Value time(Supplier<String> name, Node node, Shape.Time shape) {
    if (!(node instanceof Node.Scalar scalar)) {
      return misfit(name, node, shape.expected());
    }
    Optional<Instant> time = Times.parse(scalar.text());
    if (time.isEmpty()) {
      problems.add(node.at(), noTime(name.get(), scalar.text()));
      return null;
    }
    return new Value.Plain(node, time.get());
  }

  /** Why a text is not a time. */
  static String noTime(String name, String text) {
    String hint = isLocal(text) ? "; it has no zone: add Z for UTC, or an offset" : "";
    return "%s must be %s, not %s%s".formatted(name, Times.EXPECTED, quoted(text), hint);
  }

  private static boolean isLocal(String text) {
    try {
      LocalDateTime.parse(text);
      return true;
    } catch (DateTimeParseException other) {
      return false;
    }
  }

  private @Nullable Value zone(Supplier<String> name, Node node, Shape.Zone shape) {
    if (!(node instanceof Node.Scalar scalar) || scalar.kind() == Kind.NULL) {
      return misfit(name, node, shape.expected());
    }
    Optional<ZoneId> zone = Zones.parse(scalar.text());
    if (zone.isEmpty()) {
      noZone(name, node, scalar.text(), shape.expected());
      return null;
    }
    return new Value.Plain(node, zone.get());
  }

  private @Nullable Value dailyTime(Supplier<String> name, Node node, Shape.DailyTime shape) {
    Matcher parts =
        DAILY_TIME.matcher(node instanceof Node.Scalar scalar ? scalar.text() : "a mapping");
    if (!parts.matches()) {
      return misfit(name, node, shape.expected());
    }
    String named = parts.group(2);
    Optional<ZoneId> zone = named == null ? Optional.of(Zones.DEFAULT) : Zones.parse(named);
    if (zone.isEmpty()) {
      noZone(name, node, named, shape.expected());
      return null;
    }
    LocalTime time = LocalTime.parse(parts.group(1));
    return new Value.Plain(node, new RunLimits.ExpectBy(time, zone.get()));
  }

  private void noZone(Supplier<String> name, Node node, String typed, String expected) {
    problems.add(
        node.at(),
        "%s must be %s; there is no time zone %s%s"
            .formatted(
                name.get(),
                expected,
                quoted(typed),
                problems.takesHint() ? Zones.hint(typed) : ""));
  }

  private @Nullable Value items(Supplier<String> name, Node node, Shape.Items shape) {
    if (!(node instanceof Node.Sequence sequence)) {
      String instead = name.get().equals("'command'") ? " (or 'script' for shell lines)" : "";
      return misfit(name, node, shape.expected() + instead);
    }
    int count = sequence.items().size();
    if (count < shape.min()) {
      problems.add(node.at(), "%s is empty; write %s".formatted(name.get(), shape.expected()));
      return null;
    }
    if (count > shape.max()) {
      problems.add(
          sequence.items().get(shape.max()).at(),
          "%s has %d items; the most is %d".formatted(name.get(), count, shape.max()));
      return null;
    }
    List<Value> items = new ArrayList<>();
    Supplier<String> item =
        shape.item() instanceof Shape.Fields fields ? fields::where : () -> "each of " + name.get();
    for (Node each : sequence.items()) {
      Value value = read(item, each, shape.item());
      if (value != null) {
        items.add(value);
      }
    }
    return new Value.Items(node, items);
  }

  private @Nullable Value entries(Supplier<String> name, Node node, Shape.Entries shape) {
    if (!(node instanceof Node.Mapping mapping)) {
      return misfit(name, node, shape.expected());
    }
    if (mapping.entries().size() > shape.max()) {
      problems.add(
          mapping.entries().get(shape.max()).at(),
          "%s has %d entries; the most is %d"
              .formatted(name.get(), mapping.entries().size(), shape.max()));
      return null;
    }
    Map<String, Place> written = new LinkedHashMap<>();
    Map<String, Value> values = new LinkedHashMap<>();
    for (Node.Entry entry : mapping.entries()) {
      String key = entry.name();
      written.put(key, entry.at());
      if (!fits(key, shape.keys())) {
        problems.add(
            entry.at(),
            "key %s in %s must be %s".formatted(quoted(key), name.get(), shape.keys().expected));
      }
      Supplier<String> item =
          shape.value() instanceof Shape.Fields f ? f::where : () -> quoted(key);
      Value value = read(item, entry.value(), shape.value());
      if (value != null) {
        values.put(key, value);
      }
    }
    return new Value.Fields(node, written, values);
  }

  private Value.@Nullable Fields fields(Supplier<String> name, Node node, Shape.Fields shape) {
    if (!(node instanceof Node.Mapping mapping)) {
      misfit(name, node, shape.expected());
      return null;
    }
    Map<String, Place> written = new LinkedHashMap<>();
    Map<String, Value> values = new LinkedHashMap<>();
    for (Node.Entry entry : mapping.entries()) {
      String key = entry.name();
      if (key.startsWith(IGNORED_PREFIX)) {
        continue;
      }
      written.put(key, entry.at());
      FileKey known = shape.keys().get(key);
      if (known == null) {
        unknown(entry, shape, written);
        continue;
      }
      Value value = field(entry, known, shape);
      if (value != null) {
        values.put(key, value);
      }
    }
    for (FileKey known : shape.keys().values()) {
      if (known.status() == FileKey.Status.REQUIRED && !written.containsKey(known.name())) {
        problems.add(
            node.at(),
            "'%s' is missing in %s; it must be %s"
                .formatted(known.name(), shape.where(), known.shape().expected()));
      }
    }
    return new Value.Fields(node, written, values);
  }

  private void unknown(Node.Entry entry, Shape.Fields shape, Map<String, Place> written) {
    String typed = entry.name();
    String hint = "";
    if (problems.takesHint()) {
      Optional<String> meant = meant(typed, shape);
      hint = hint(typed, shape, meant);
      // Treat a mistyped key as the intended one, so that key is not also reported missing.
      meant.ifPresent(name -> written.putIfAbsent(name, entry.at()));
    }
    problems.add(
        entry.at(), "unknown key %s in %s%s".formatted(quoted(typed), shape.where(), hint));
  }

  private @Nullable Value field(Node.Entry entry, FileKey key, Shape.Fields shape) {
    String name = entry.name();
    Place at = entry.at();
    return switch (key.status()) {
      case OPTIONAL, REQUIRED -> read(() -> "'" + name + "'", entry.value(), key.shape());
      case RESERVED -> {
        problems.add(at, "'%s' is reserved, not supported yet; remove it".formatted(name));
        yield null;
      }
      case TASK_ONLY -> {
        problems.add(at, "'%s' cannot be a default; write it in each task".formatted(name));
        yield null;
      }
      case SUBMIT_ONLY -> {
        problems.add(
            at,
            "'%s' is only for submitted tasks; in a workflow, %s"
                .formatted(name, Keys.insteadOf(name)));
        yield null;
      }
      case WORKFLOW_ONLY -> {
        problems.add(at, "is only for tasks of a workflow; register a workflow");
        yield null;
      }
    };
  }

  private static String hint(String typed, Shape.Fields shape, Optional<String> meant) {
    List<String> supported =
        shape.keys().values().stream().filter(FileKey::isSupported).map(FileKey::name).toList();
    var foreign = OtherTools.key(shape.where(), typed);
    if (foreign.isPresent()) {
      return "; " + foreign.get().write();
    }
    return meant
        .map(name -> "; did you mean '%s'?".formatted(name))
        .orElse("; known here: " + String.join(", ", supported));
  }

  /** The known key that the user probably meant. */
  private static Optional<String> meant(String typed, Shape.Fields shape) {
    return OtherTools.key(shape.where(), typed)
        .map(OtherTools.Foreign::ours)
        .or(() -> Suggestion.nearest(typed, shape.keys().keySet()));
  }

  private @Nullable Value orLater(Supplier<String> name, Node node, Shape.OrLater shape) {
    if (node instanceof Node.Mapping mapping) {
      for (Node.Entry entry : mapping.entries()) {
        if (shape.laterKeys().contains(entry.name())) {
          problems.add(
              entry.at(),
              "'%s' for %s is reserved, not supported yet; write plain text"
                  .formatted(entry.name(), name.get()));
          return null;
        }
      }
    }
    return read(name, node, shape.now());
  }

  private static boolean fits(String text, Shape.Rule rule) {
    return rule.isAny() || rule.pattern.matcher(text).matches();
  }

  private @Nullable Value misfit(Supplier<String> name, Node node, String expected) {
    problems.add(node.at(), "%s must be %s, not %s".formatted(name.get(), expected, shown(node)));
    return null;
  }

  private static String shown(Node node) {
    return switch (node) {
      case Node.Mapping mapping -> "a mapping";
      case Node.Sequence sequence -> "a list";
      case Node.Scalar scalar when scalar.kind() == Kind.NULL -> "nothing";
      case Node.Scalar scalar when scalar.kind() == Kind.TEXT -> quoted(scalar.text());
      case Node.Scalar scalar -> scalar.text();
    };
  }

  static String quoted(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    String cut =
        line.length() > SHOWN_CHARS_MAX ? line.substring(0, SHOWN_CHARS_MAX) + "..." : line;
    return "'" + cut + "'";
  }
}
