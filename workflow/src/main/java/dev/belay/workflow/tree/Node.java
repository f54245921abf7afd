package dev.belay.workflow.tree;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value of a file or a request, with its place. The place of an aliased value is that of its
 * anchor. The nodes own their lists: the reader does not touch them afterwards.
 */
public sealed interface Node {

  Place at();

  String UNSTORABLE = "must not contain NUL or half a character";

  /** Whether PostgreSQL can store a text. */
  static boolean isStorable(String text) {
    for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      if (c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
        return false;
      }
    }
    return true;
  }

  /** The Java value: String, Long, BigInteger, Double, Boolean, null, List, ordered Map. */
  @Nullable Object value();

  record Scalar(Place at, String text, Kind kind) implements Node {

    @Override
    public @Nullable Object value() {
      return switch (kind) {
        case TEXT -> text;
        case INT -> whole(new BigInteger(text));
        case FLOAT -> Double.valueOf(text);
        case BOOL -> Boolean.valueOf(text);
        case NULL -> null;
      };
    }

    private static Number whole(BigInteger number) {
      return number.bitLength() < Long.SIZE ? (Number) number.longValue() : (Number) number;
    }

    /** The place of the character at this offset of the text. */
    public Place locate(int offset) {
      return at.within(text, offset);
    }
  }

  record Sequence(Place at, List<Node> items) implements Node {
    @Override
    public List<@Nullable Object> value() {
      List<@Nullable Object> values = new ArrayList<>();
      items.forEach(item -> values.add(item.value()));
      return Collections.unmodifiableList(values);
    }
  }

  /** Names are unique; merged entries ({@code <<}) come last. */
  record Mapping(Place at, List<Entry> entries) implements Node {
    @Override
    public Map<String, @Nullable Object> value() {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      entries.forEach(entry -> values.put(entry.name(), entry.value().value()));
      return Collections.unmodifiableMap(values);
    }
  }

  /**
   * @param at the place of the name
   */
  record Entry(Place at, String name, Node value) {}

  /** The kind of a scalar in YAML 1.2's core schema: {@code yes} and {@code on} are text. */
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
