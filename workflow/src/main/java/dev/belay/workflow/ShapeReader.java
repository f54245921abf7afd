package dev.belay.workflow;

import dev.belay.workflow.yaml.Position;
import dev.belay.workflow.yaml.YamlNode;
import dev.belay.workflow.yaml.YamlNode.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads nodes by their shapes and reports what does not fit. */
final class ShapeReader {

  private static final String IGNORED_PREFIX = "x-";
  private static final int SHOWN_CHARS_MAX = 40;

  private final Problems problems;

  ShapeReader(Problems problems) {
    this.problems = problems;
  }

  /** The value of a node, or null when it does not have the shape. */
  @Nullable Value read(String name, YamlNode node, Shape shape) {
    return switch (shape) {
      case Shape.Text text -> text(name, node, text);
      case Shape.Word word -> word(name, node, word);
      case Shape.Whole whole -> whole(name, node, whole);
      case Shape.Decimal decimal -> decimal(name, node, decimal);
      case Shape.Flag flag -> flag(name, node, flag);
      case Shape.Span span -> span(name, node, span);
      case Shape.Items items -> items(name, node, items);
      case Shape.Entries entries -> entries(name, node, entries);
      case Shape.Fields fields -> fields(name, node, fields);
      case Shape.AnyJson any -> new Value.Any(node);
      case Shape.OrLater later -> orLater(name, node, later);
    };
  }

  private @Nullable Value text(String name, YamlNode node, Shape.Text shape) {
    if (!(node instanceof YamlNode.Scalar scalar) || scalar.kind() == Kind.NULL) {
      return misfit(name, node, shape.expected());
    }
    if (scalar.text().length() > shape.charsMax()) {
      problems.add(node.at(), "%s is longer than %d characters".formatted(name, shape.charsMax()));
      return null;
    }
    if (scalar.text().indexOf('\0') >= 0) {
      problems.add(node.at(), name + " must not contain the character U+0000");
      return null;
    }
    return fits(scalar.text(), shape.rule())
        ? new Value.Text(scalar, scalar.text())
        : misfit(name, node, shape.expected());
  }

  private @Nullable Value word(String name, YamlNode node, Shape.Word shape) {
    if (!(node instanceof YamlNode.Scalar scalar) || scalar.kind() == Kind.NULL) {
      return misfit(name, node, shape.expected());
    }
    if (shape.words().contains(scalar.text())) {
      return new Value.Text(scalar, scalar.text());
    }
    if (shape.later().contains(scalar.text())) {
      problems.add(
          node.at(),
          "%s for %s is reserved, not supported yet; write %s"
              .formatted(shown(node), name, shape.expected()));
      return null;
    }
    problems.add(
        node.at(),
        "%s must be %s, not %s%s"
            .formatted(name, shape.expected(), shown(node), meantWord(name, scalar.text(), shape)));
    return null;
  }

  private static String meantWord(String name, String typed, Shape.Word shape) {
    return name.equals("'type'")
        ? OtherTools.type(typed)
            .map("; did you mean '%s'?"::formatted)
            .orElseGet(() -> Suggestion.after(typed, shape.words(), ""))
        : Suggestion.after(typed, shape.words(), "");
  }

  private @Nullable Value whole(String name, YamlNode node, Shape.Whole shape) {
    if (node instanceof YamlNode.Scalar scalar && scalar.kind() == Kind.INT) {
      Optional<Long> number = Numbers.whole(scalar.text());
      if (number.isPresent() && number.get() >= shape.min() && number.get() <= shape.max()) {
        return new Value.Whole(scalar, number.get().intValue());
      }
    }
    return misfit(name, node, shape.expected());
  }

  private @Nullable Value decimal(String name, YamlNode node, Shape.Decimal shape) {
    if (node instanceof YamlNode.Scalar scalar
        && (scalar.kind() == Kind.INT || scalar.kind() == Kind.FLOAT)) {
      double number = Double.parseDouble(scalar.text());
      if (number >= shape.min() && number <= shape.max()) {
        return new Value.Decimal(scalar, number);
      }
    }
    return misfit(name, node, shape.expected());
  }

  private @Nullable Value flag(String name, YamlNode node, Shape.Flag shape) {
    return node instanceof YamlNode.Scalar scalar && scalar.kind() == Kind.BOOL
        ? new Value.Flag(scalar, Boolean.parseBoolean(scalar.text()))
        : misfit(name, node, shape.expected());
  }

  private @Nullable Value span(String name, YamlNode node, Shape.Span shape) {
    if (node instanceof YamlNode.Scalar scalar) {
      Optional<Duration> duration = Durations.parse(scalar.text());
      if (duration.isPresent() && duration.get().compareTo(shape.min()) >= 0) {
        return new Value.Span(scalar, duration.get());
      }
    }
    return misfit(name, node, shape.expected());
  }

  private @Nullable Value items(String name, YamlNode node, Shape.Items shape) {
    if (!(node instanceof YamlNode.Sequence sequence)) {
      String instead = name.equals("'command'") ? " (or 'script' for shell lines)" : "";
      return misfit(name, node, shape.expected() + instead);
    }
    int count = sequence.items().size();
    if (count < shape.min()) {
      problems.add(node.at(), "%s is empty; write %s".formatted(name, shape.expected()));
      return null;
    }
    if (count > shape.max()) {
      problems.add(
          sequence.items().get(shape.max()).at(),
          "%s has %d items; the most is %d".formatted(name, count, shape.max()));
      return null;
    }
    List<Value> items = new ArrayList<>();
    String item = shape.item() instanceof Shape.Fields fields ? fields.where() : "each of " + name;
    for (YamlNode each : sequence.items()) {
      Value value = read(item, each, shape.item());
      if (value != null) {
        items.add(value);
      }
    }
    return new Value.Items(node, items);
  }

  private @Nullable Value entries(String name, YamlNode node, Shape.Entries shape) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      return misfit(name, node, shape.expected());
    }
    if (mapping.entries().size() > shape.max()) {
      problems.add(
          mapping.entries().get(shape.max()).key().at(),
          "%s has %d entries; the most is %d"
              .formatted(name, mapping.entries().size(), shape.max()));
      return null;
    }
    Map<String, YamlNode.Scalar> written = new LinkedHashMap<>();
    Map<String, Value> values = new LinkedHashMap<>();
    for (YamlNode.Entry entry : mapping.entries()) {
      String key = entry.key().text();
      written.put(key, entry.key());
      if (!fits(key, shape.keys())) {
        problems.add(
            entry.key().at(),
            "key %s in %s must be %s".formatted(quoted(key), name, shape.keys().expected));
      }
      String item = shape.value() instanceof Shape.Fields f ? f.where() : quoted(key);
      Value value = read(item, entry.value(), shape.value());
      if (value != null) {
        values.put(key, value);
      }
    }
    return new Value.Fields(node, written, values);
  }

  private Value.@Nullable Fields fields(String name, YamlNode node, Shape.Fields shape) {
    if (!(node instanceof YamlNode.Mapping mapping)) {
      misfit(name, node, shape.expected());
      return null;
    }
    Map<String, YamlNode.Scalar> written = new LinkedHashMap<>();
    Map<String, Value> values = new LinkedHashMap<>();
    for (YamlNode.Entry entry : mapping.entries()) {
      String key = entry.key().text();
      if (key.startsWith(IGNORED_PREFIX)) {
        continue;
      }
      written.put(key, entry.key());
      Optional<FileKey> known = shape.keys().stream().filter(k -> k.name().equals(key)).findFirst();
      if (known.isEmpty()) {
        // A mistyped key stands for the one that was meant, so that it is not missed as well.
        meant(key, shape).ifPresent(meant -> written.putIfAbsent(meant, entry.key()));
      }
      Value value = field(entry, known, shape);
      if (value != null) {
        values.put(key, value);
      }
    }
    for (FileKey known : shape.keys()) {
      if (known.status() == FileKey.Status.REQUIRED && !written.containsKey(known.name())) {
        problems.add(
            node.at(),
            "'%s' is missing in %s; it must be %s"
                .formatted(known.name(), shape.where(), known.shape().expected()));
      }
    }
    return new Value.Fields(node, written, values);
  }

  private @Nullable Value field(YamlNode.Entry entry, Optional<FileKey> known, Shape.Fields shape) {
    String name = entry.key().text();
    Position at = entry.key().at();
    if (known.isEmpty()) {
      problems.add(
          at, "unknown key %s in %s%s".formatted(quoted(name), shape.where(), hint(name, shape)));
      return null;
    }
    FileKey key = known.get();
    return switch (key.status()) {
      case OPTIONAL, REQUIRED -> read("'" + name + "'", entry.value(), key.shape());
      case RESERVED -> {
        problems.add(at, "'%s' is reserved, not supported yet; remove it".formatted(name));
        yield null;
      }
      case TASK_ONLY -> {
        problems.add(at, "'%s' cannot be a default; write it in each task".formatted(name));
        yield null;
      }
    };
  }

  private static String hint(String typed, Shape.Fields shape) {
    List<String> supported =
        shape.keys().stream().filter(FileKey::isSupported).map(FileKey::name).toList();
    var foreign = OtherTools.key(shape.where(), typed);
    if (foreign.isPresent()) {
      return "; " + foreign.get().write();
    }
    return meant(typed, shape)
        .map(name -> "; did you mean '%s'?".formatted(name))
        .orElse("; known here: " + String.join(", ", supported));
  }

  /** The known key that a key probably should be. */
  private static Optional<String> meant(String typed, Shape.Fields shape) {
    return OtherTools.key(shape.where(), typed)
        .map(OtherTools.Foreign::ours)
        .or(() -> Suggestion.nearest(typed, shape.keys().stream().map(FileKey::name).toList()));
  }

  private @Nullable Value orLater(String name, YamlNode node, Shape.OrLater shape) {
    if (node instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (shape.laterKeys().contains(entry.key().text())) {
          problems.add(
              entry.key().at(),
              "'%s' for %s is reserved, not supported yet; write plain text"
                  .formatted(entry.key().text(), name));
          return null;
        }
      }
    }
    return read(name, node, shape.now());
  }

  private static boolean fits(String text, Shape.Rule rule) {
    return rule.pattern.matcher(text).matches();
  }

  private @Nullable Value misfit(String name, YamlNode node, String expected) {
    problems.add(node.at(), "%s must be %s, not %s".formatted(name, expected, shown(node)));
    return null;
  }

  private static String shown(YamlNode node) {
    return switch (node) {
      case YamlNode.Mapping mapping -> "a mapping";
      case YamlNode.Sequence sequence -> "a list";
      case YamlNode.Scalar scalar when scalar.kind() == Kind.NULL -> "nothing";
      case YamlNode.Scalar scalar when scalar.kind() == Kind.TEXT -> quoted(scalar.text());
      case YamlNode.Scalar scalar -> scalar.text();
    };
  }

  static String quoted(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    String cut =
        line.length() > SHOWN_CHARS_MAX ? line.substring(0, SHOWN_CHARS_MAX) + "..." : line;
    return "'" + cut + "'";
  }
}
