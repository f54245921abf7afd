package dev.belay.workflow.yaml;

import java.util.List;
import java.util.regex.Pattern;

/** A value of a YAML file and where it stands. An aliased value stands where its anchor is. */
public sealed interface YamlNode {

  Position at();

  /** How many nodes this is when every alias is written out. */
  int size();

  /** How many levels stand below it, every alias written out. */
  int height();

  /**
   * @param shift where the text begins behind {@link #at}: the quote of an inline scalar, the
   *     indentation of a literal block; {@link #UNKNOWN} when the text is not written as it reads
   */
  record Scalar(Position at, String text, Kind kind, boolean literalBlock, int shift)
      implements YamlNode {

    static final int UNKNOWN = -1;

    /** A value that is not written anywhere. */
    public static Scalar of(Position at, String text, Kind kind) {
      return new Scalar(at, text, kind, false, UNKNOWN);
    }

    public static Scalar text(Position at, String text) {
      return of(at, text, Kind.TEXT);
    }

    @Override
    public int size() {
      return 1;
    }

    @Override
    public int height() {
      return 0;
    }

    /** Where the character at this offset of the text stands; the scalar's start if unknown. */
    public Position locate(int offset) {
      if (shift == UNKNOWN) {
        return at;
      }
      if (!literalBlock) {
        return new Position(at.line(), at.column() + shift + text.codePointCount(0, offset));
      }
      int lineStart = text.lastIndexOf('\n', offset - 1) + 1;
      int linesBefore = (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
      int column = shift + text.codePointCount(lineStart, offset) + 1;
      return new Position(at.line() + 1 + linesBefore, column);
    }
  }

  record Sequence(Position at, List<YamlNode> items, int size, int height) implements YamlNode {
    public Sequence {
      items = List.copyOf(items);
    }

    public static Sequence of(Position at, List<YamlNode> items) {
      int size = items.stream().mapToInt(YamlNode::size).sum();
      int height = items.stream().mapToInt(YamlNode::height).max().orElse(-1);
      return new Sequence(at, items, 1 + size, 1 + height);
    }
  }

  /** Keys are unique; merged ones ({@code <<}) come last. */
  record Mapping(Position at, List<Entry> entries, int size, int height) implements YamlNode {
    public Mapping {
      entries = List.copyOf(entries);
    }

    public static Mapping of(Position at, List<Entry> entries) {
      int size = entries.stream().mapToInt(entry -> 1 + entry.value().size()).sum();
      int height = entries.stream().mapToInt(entry -> entry.value().height()).max().orElse(-1);
      return new Mapping(at, entries, 1 + size, 1 + height);
    }
  }

  record Entry(Scalar key, YamlNode value) {}

  /** What a scalar is by the core schema of YAML 1.2, so {@code yes} and {@code on} are text. */
  enum Kind {
    TEXT,
    INT,
    FLOAT,
    BOOL,
    NULL;

    private static final Pattern NULLS = Pattern.compile("|~|null|Null|NULL");
    private static final Pattern BOOLS = Pattern.compile("true|True|TRUE|false|False|FALSE");
    private static final Pattern INTS = Pattern.compile("[-+]?[0-9]+");
    private static final Pattern FLOATS =
        Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final int NUMBER_CHARS_MAX = 400;

    static Kind ofPlain(String text) {
      if (text.length() > NUMBER_CHARS_MAX) {
        return TEXT;
      }
      if (NULLS.matcher(text).matches()) {
        return NULL;
      }
      if (BOOLS.matcher(text).matches()) {
        return BOOL;
      }
      if (INTS.matcher(text).matches()) {
        return INT;
      }
      return FLOATS.matcher(text).matches() ? FLOAT : TEXT;
    }
  }
}
