package dev.belay.workflow.tree;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.belay.workflow.tree.Node.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into a tree. The parser bounds its depth and refuses duplicate names. One instance
 * reads one text, on one thread.
 */
public final class JsonReader {

  private final JsonParser json;
  private final BiConsumer<Place, String> problems;
  private long values;

  private JsonReader(JsonParser json, BiConsumer<Place, String> problems) {
    this.json = json;
    this.problems = problems;
  }

  /**
   * The only value of a text; null when there is none. Reports text that PostgreSQL cannot store to
   * {@code problems}.
   */
  public static @Nullable Node read(JsonParser json, BiConsumer<Place, String> problems)
      throws IOException {
    if (json.nextToken() == null) {
      return null;
    }
    Node root = new JsonReader(json, problems).value(FieldPath.ROOT);
    if (json.nextToken() != null) {
      throw new JsonParseException(json, "more than one value");
    }
    return root;
  }

  private Node value(FieldPath at) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> mapping(at);
      case START_ARRAY -> sequence(at);
      case VALUE_STRING -> text(at, json.getText());
      // As written: 1.10 may be a version.
      case VALUE_NUMBER_INT -> new Node.Scalar(at, json.getText(), Kind.INT);
      case VALUE_NUMBER_FLOAT -> new Node.Scalar(at, json.getText(), Kind.FLOAT);
      case VALUE_TRUE, VALUE_FALSE -> new Node.Scalar(at, json.getText(), Kind.BOOL);
      case VALUE_NULL -> new Node.Scalar(at, json.getText(), Kind.NULL);
      case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
          throw new JsonParseException(json, "unexpected " + json.currentToken());
    };
  }

  private Node text(FieldPath at, String text) {
    if (!Node.isStorable(text)) {
      problems.accept(at, Node.UNSTORABLE);
    }
    return new Node.Scalar(at, text, Kind.TEXT);
  }

  private Node mapping(FieldPath at) throws IOException {
    List<Node.Entry> entries = new ArrayList<>();
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      if (!Node.isStorable(name)) {
        problems.accept(at, "has a name that " + Node.UNSTORABLE);
      }
      FieldPath field = new FieldPath(at, name, 0, ++values);
      json.nextToken();
      entries.add(new Node.Entry(field, name, value(field)));
    }
    return new Node.Mapping(at, entries);
  }

  private Node sequence(FieldPath at) throws IOException {
    List<Node> items = new ArrayList<>();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(new FieldPath(at, null, items.size(), ++values)));
    }
    return new Node.Sequence(at, items);
  }
}
