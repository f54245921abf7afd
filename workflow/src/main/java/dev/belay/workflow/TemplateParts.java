package dev.belay.workflow;

import java.util.ArrayList;
import java.util.List;

/**
 * A template split into text and expressions. An expression ends at the first {@code }}} outside
 * its own quotes and braces, so it may contain strings and maps.
 *
 * @param unclosedAt the start of an unclosed <code>${{</code>, or -1
 */
record TemplateParts(List<Part> parts, int unclosedAt) {

  static final String OPEN = "${{";
  static final String CLOSE = "}}";

  sealed interface Part {}

  record Text(String text) implements Part {}

  /**
   * @param offset the start of {@code source} in the template
   */
  record Expression(String source, int offset) implements Part {}

  TemplateParts {
    parts = List.copyOf(parts);
  }

  static TemplateParts of(String template) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (int open = template.indexOf(OPEN); open >= 0; open = template.indexOf(OPEN, from)) {
      int start = open + OPEN.length();
      int end = endOf(template, start);
      if (end < 0) {
        return new TemplateParts(parts, open);
      }
      if (open > from) {
        parts.add(new Text(template.substring(from, open)));
      }
      parts.add(new Expression(template.substring(start, end), start));
      from = end + CLOSE.length();
    }
    if (from < template.length() || parts.isEmpty()) {
      parts.add(new Text(template.substring(from)));
    }
    return new TemplateParts(parts, -1);
  }

  boolean isOneExpression() {
    return unclosedAt < 0 && parts.size() == 1 && parts.getFirst() instanceof Expression;
  }

  private static int endOf(String template, int start) {
    int braces = 0;
    char quote = 0;
    for (int i = start; i < template.length(); i++) {
      char c = template.charAt(i);
      if (quote != 0) {
        if (c == '\\') {
          i++;
        } else if (c == quote) {
          quote = 0;
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '{') {
        braces++;
      } else if (c == '}' && braces > 0) {
        braces--;
      } else if (template.startsWith(CLOSE, i)) {
        return i;
      }
    }
    return -1;
  }
}
