package dev.belay.cli.run;

import dev.belay.cli.terminal.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** One line of a picture, cut to the width of the screen before it is painted. */
final class Line {

  private final List<Part> parts = new ArrayList<>();

  /** Text of one colour; the paint adds no visible character. */
  private record Part(String text, UnaryOperator<String> paint) {}

  Line add(String text) {
    return add(text, UnaryOperator.identity());
  }

  Line add(String text, UnaryOperator<String> paint) {
    parts.add(new Part(text, paint));
    return this;
  }

  /** Adds spaces up to this column. */
  Line upTo(int column) {
    return add(" ".repeat(Math.max(0, column - width())));
  }

  int width() {
    return parts.stream().mapToInt(part -> Width.of(part.text())).sum();
  }

  /** The text to write, never wider than this. */
  String fit(int max) {
    var fitted = new StringBuilder();
    int left = max;
    for (int i = 0; i < parts.size() && left > 0; i++) {
      var part = parts.get(i);
      // The ellipsis belongs to the part that is cut, even if all later parts are missing.
      boolean last = restWidth(i + 1) == 0;
      String text = last ? Width.cut(part.text(), left) : cutBefore(part.text(), left, i);
      fitted.append(part.paint().apply(text));
      left -= Width.of(text);
      if (!text.equals(part.text())) {
        break;
      }
    }
    return fitted.toString().stripTrailing();
  }

  private String cutBefore(String text, int left, int index) {
    boolean all = Width.of(text) + restWidth(index + 1) <= left;
    boolean room = Width.of(text) < left;
    return all || room ? text : Width.cut(text + "…", left);
  }

  private int restWidth(int from) {
    int width = 0;
    for (var part : parts.subList(from, parts.size())) {
      width += Width.of(part.text().stripTrailing());
    }
    return width;
  }
}
