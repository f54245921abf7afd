package dev.belay.workflow.tree;

import org.jspecify.annotations.Nullable;

/**
 * A field of a request, like {@code tasks[3].env.PATH}; the whole request has an empty path. The
 * text is built only for an error: names may be long, and values many.
 *
 * @param name null for an item of a list, and for the whole
 * @param index of an item in its list
 * @param order how many values precede it in the request
 */
public record FieldPath(@Nullable FieldPath parent, @Nullable String name, int index, long order)
    implements Place {

  private static final int CHARS_MAX = 300;

  public static final FieldPath ROOT = new FieldPath(null, null, 0, 0);

  /** The path, cut to a readable length. */
  @Override
  public String shown() {
    if (parent == null) {
      return "";
    }
    String before = parent.shown();
    if (before.length() > CHARS_MAX) {
      return before;
    }
    String path =
        name == null ? before + "[" + index + "]" : before.isEmpty() ? name : before + "." + name;
    return path.length() > CHARS_MAX ? path.substring(0, CHARS_MAX) + "…" : path;
  }
}
