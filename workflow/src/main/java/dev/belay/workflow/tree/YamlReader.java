package dev.belay.workflow.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads one YAML document into a tree. One instance reads one text, on one thread. */
public final class YamlReader {

  public static final int FILE_CHARS_MAX = 4 * 1024 * 1024;
  public static final int NESTING_MAX = 50;
  public static final int EXPANDED_NODES_MAX = 1_000_000;

  /** The scanner copies its remaining input at each refill; large steps keep long lines linear. */
  private static final int BUFFER_CHARS = 256 * 1024;

  /** Limit of reported duplicates: they come in order, and people do not read more. */
  private static final int DUPLICATES_MAX = 100;

  private static final String MERGE = "<<";
  private static final String STANDARD_TAGS = "tag:yaml.org,2002:";

  private final String text;
  private final int valuesMax;
  private final BiConsumer<Place, String> problems;
  private final Map<Anchor, Node> anchors = new HashMap<>();
  private String @Nullable [] lines;
  private int expandedNodes;
  private int duplicates;

  private YamlReader(String text, int valuesMax, BiConsumer<Place, String> problems) {
    this.text = text;
    this.valuesMax = Math.min(valuesMax, EXPANDED_NODES_MAX);
    this.problems = problems;
  }

  /**
   * The tree of a text; empty when it is unreadable. Reports that, and smaller faults like
   * duplicate keys, to {@code problems}.
   */
  public static Optional<Node> read(String text, BiConsumer<Place, String> problems) {
    return read(text, EXPANDED_NODES_MAX, problems);
  }

  /**
   * @param valuesMax limit of values, with every alias expanded
   */
  public static Optional<Node> read(
      String text, int valuesMax, BiConsumer<Place, String> problems) {
    if (text.length() > FILE_CHARS_MAX) {
      problems.accept(
          Position.START,
          "the file has %d characters; the most is %d".formatted(text.length(), FILE_CHARS_MAX));
      return Optional.empty();
    }
    try {
      return Optional.of(new YamlReader(text, valuesMax, problems).document());
    } catch (Unreadable e) {
      problems.accept(e.at, e.reason);
    } catch (MarkedYamlEngineException e) {
      problems.accept(e.getProblemMark().map(YamlReader::position).orElse(Position.START), why(e));
    } catch (ReaderException e) {
      problems.accept(
          positionOf(text, e.getPosition()),
          "not YAML: the character U+%04X is not allowed in a file".formatted(e.getCodePoint()));
    } catch (YamlEngineException e) {
      problems.accept(Position.START, "not YAML: " + e.getMessage());
    }
    return Optional.empty();
  }

  private Node document() throws Unreadable {
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(FILE_CHARS_MAX)
            .setBufferSize(Math.min(text.length() + 1, BUFFER_CHARS))
            .build();
    Iterator<Event> events = new Parse(settings).parseString(text).iterator();
    events.next(); // stream start
    Event start = events.next();
    if (!(start instanceof DocumentStartEvent)) {
      throw new Unreadable(
          Position.START, "the file is empty; write at least 'name' and 'tasks', or 'task'");
    }
    Node root = node(events.next(), events, 0);
    events.next(); // document end
    Event end = events.next();
    if (end instanceof DocumentStartEvent) {
      throw new Unreadable(
          position(end), "a second document starts here; write one workflow in a file");
    }
    return root;
  }

  private Node node(Event event, Iterator<Event> events, int depth) throws Unreadable {
    Position at = position(event);
    if (depth > NESTING_MAX) {
      throw tooDeep(at);
    }
    return switch (event) {
      case AliasEvent alias -> alias(alias, depth);
      case ScalarEvent scalar -> anchored(scalar.getAnchor(), scalar(scalar));
      case SequenceStartEvent start -> {
        checkTag(start.getTag(), at);
        yield anchored(start.getAnchor(), sequence(at, events, depth));
      }
      case MappingStartEvent start -> {
        checkTag(start.getTag(), at);
        yield anchored(start.getAnchor(), mapping(at, events, depth));
      }
      default -> throw new IllegalStateException("unexpected YAML event " + event);
    };
  }

  private static Unreadable tooDeep(Position at) {
    return new Unreadable(at, "nested deeper than %d levels".formatted(NESTING_MAX));
  }

  private Node alias(AliasEvent event, int depth) throws Unreadable {
    Node target = anchors.get(event.getAlias());
    if (target == null) {
      throw new Unreadable(
          position(event),
          "alias *%s has no complete anchor &%s before it"
              .formatted(event.getAlias(), event.getAlias()));
    }
    expand(target, depth, position(event));
    return target;
  }

  /** Counts the aliased value again, as if it were written here. */
  private void expand(Node node, int depth, Position at) throws Unreadable {
    if (depth > NESTING_MAX) {
      throw tooDeep(at);
    }
    count(1, at);
    if (node instanceof Node.Sequence(_, var items)) {
      for (Node item : items) {
        expand(item, depth + 1, at);
      }
    }
    if (node instanceof Node.Mapping(_, var entries)) {
      count(entries.size(), at);
      for (Node.Entry entry : entries) {
        expand(entry.value(), depth + 1, at);
      }
    }
  }

  private Node anchored(Optional<Anchor> anchor, Node node) {
    anchor.ifPresent(name -> anchors.put(name, node));
    return node;
  }

  private Node sequence(Position at, Iterator<Event> events, int depth) throws Unreadable {
    List<Node> items = new ArrayList<>();
    for (Event e = events.next(); !(e instanceof SequenceEndEvent); e = events.next()) {
      items.add(node(e, events, depth + 1));
    }
    count(1, at);
    return new Node.Sequence(at, items);
  }

  private Node mapping(Position at, Iterator<Event> events, int depth) throws Unreadable {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    List<Node> merged = new ArrayList<>();
    for (Event e = events.next(); !(e instanceof MappingEndEvent); e = events.next()) {
      Node key = node(e, events, depth + 1);
      Node value = node(events.next(), events, depth + 1);
      if (!(key instanceof Node.Scalar name)) {
        problems.accept(key.at(), "a key must be plain text, not a list or mapping");
      } else if (name.text().equals(MERGE)) {
        merged.add(value);
      } else {
        Node.Entry first =
            entries.putIfAbsent(name.text(), new Node.Entry(name.at(), name.text(), value));
        if (first != null && ++duplicates <= DUPLICATES_MAX) {
          problems.accept(
              name.at(),
              "duplicate key '%s'; it is already on %s: remove one"
                  .formatted(name.text(), first.at().shown()));
        }
      }
    }
    merged.forEach(source -> merge(source, entries));
    count(1, at);
    return new Node.Mapping(at, List.copyOf(entries.values()));
  }

  /** The first to set a key wins: the mapping itself, then the sources in order. */
  private void merge(Node source, Map<String, Node.Entry> into) {
    switch (source) {
      case Node.Mapping mapping ->
          mapping.entries().forEach(entry -> into.putIfAbsent(entry.name(), entry));
      case Node.Sequence sources when sources.items().stream().allMatch(this::isMapping) ->
          sources.items().forEach(each -> merge(each, into));
      case Node.Sequence sources -> badMerge(sources);
      case Node.Scalar scalar -> badMerge(scalar);
    }
  }

  private boolean isMapping(Node node) {
    return node instanceof Node.Mapping;
  }

  private void badMerge(Node source) {
    problems.accept(source.at(), "'<<' must name a mapping such as *defaults, or a list of them");
  }

  private Node.Scalar scalar(ScalarEvent event) throws Unreadable {
    Position at = position(event);
    count(1, at);
    checkTag(event.getTag(), at);
    String value = event.getValue();
    if (!Node.isStorable(value)) {
      problems.accept(at, "a text " + Node.UNSTORABLE);
    }
    boolean resolves = event.isPlain() && !event.getTag().filter(this::isText).isPresent();
    Node.Kind kind = resolves ? Node.Kind.ofPlain(value) : Node.Kind.TEXT;
    boolean literal = event.getScalarStyle() == ScalarStyle.LITERAL;
    int shift = literal ? indentation(at, value) : quotes(event);
    return new Node.Scalar(new Position(at.line(), at.column(), literal, shift), value, kind);
  }

  private boolean isText(String tag) {
    return tag.equals(STANDARD_TAGS + "str") || tag.equals("!");
  }

  private void checkTag(Optional<String> tag, Position at) {
    tag.filter(name -> !name.equals("!") && !name.startsWith(STANDARD_TAGS))
        .ifPresent(name -> problems.accept(at, "unknown tag '%s'; remove it".formatted(name)));
  }

  /** The width of the opening quote, if the scalar is on one line without escapes. */
  private static int quotes(ScalarEvent event) {
    Mark start = event.getStartMark().orElseThrow();
    Mark end = event.getEndMark().orElseThrow();
    int quote = event.isPlain() ? 0 : 1;
    int written = end.getColumn() - start.getColumn() - 2 * quote;
    String value = event.getValue();
    boolean asWritten =
        start.getLine() == end.getLine() && written == value.codePointCount(0, value.length());
    return asWritten ? quote : Position.UNKNOWN;
  }

  private int indentation(Position at, String value) {
    String[] written = lines();
    int line = at.line();
    for (String read : value.split("\n", -1)) {
      if (!read.isBlank() && line < written.length && written[line].endsWith(read)) {
        return written[line].length() - read.length();
      }
      line++;
    }
    return Position.UNKNOWN;
  }

  private String[] lines() {
    if (lines == null) {
      lines = text.split("\\r?\\n", -1);
    }
    return lines;
  }

  private void count(int nodes, Position at) throws Unreadable {
    expandedNodes += nodes;
    if (expandedNodes > valuesMax) {
      throw new Unreadable(
          at,
          "the file expands to more than %d values; use fewer aliases, or split the file"
              .formatted(valuesMax));
    }
  }

  private static String why(MarkedYamlEngineException e) {
    String problem = e.getProblem();
    if (problem.contains("(TAB)")) {
      return "not YAML: a tab cannot indent; use spaces";
    }
    String hint =
        problem.startsWith("mapping values are not allowed")
            ? "; put text that contains ': ' in quotes and check the indentation"
            : problem.startsWith("could not find expected ':'")
                ? "; a line here must be 'key: value' or '- item'"
                : problem.contains("cannot start any token") ? "; put the text in quotes" : "";
    String context = e.getContext() == null ? "" : e.getContext() + ", ";
    return "not YAML: " + context + problem.replaceFirst("\\. \\(Do not use.*", "") + hint;
  }

  private static Position position(Event event) {
    return position(event.getStartMark().orElseThrow());
  }

  private static Position position(Mark mark) {
    return new Position(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static Position positionOf(String text, int index) {
    String before = text.substring(0, Math.min(index, text.length()));
    int lineStart = before.lastIndexOf('\n') + 1;
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    return new Position(line, before.length() - lineStart + 1);
  }

  /** Ends the reading; never leaves this class. */
  private static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Position at;
    private final String reason;

    Unreadable(Position at, String reason) {
      super(reason, null, false, false);
      this.at = at;
      this.reason = reason;
    }
  }
}
