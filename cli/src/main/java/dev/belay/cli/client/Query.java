package dev.belay.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A path with its parameters, encoded. */
public final class Query {

  private final StringBuilder text;
  private boolean first = true;

  public Query(String path) {
    this.text = new StringBuilder(path);
  }

  public Query copy() {
    var copy = new Query(text.toString());
    copy.first = first;
    return copy;
  }

  /** Encodes one part of a path. */
  public static String part(String raw) {
    return URLEncoder.encode(raw, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Omits the parameter when it has no value. */
  public Query with(String name, @Nullable Object value) {
    if (value != null && !value.toString().isEmpty()) {
      text.append(first ? '?' : '&').append(name).append('=').append(part(value.toString()));
      first = false;
    }
    return this;
  }

  public Query with(String name, @Nullable Collection<String> values) {
    return with(name, values == null ? null : (Object) String.join(",", values));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
