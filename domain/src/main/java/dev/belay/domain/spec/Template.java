package dev.belay.domain.spec;

/** Text of a workflow file in which {@code ${{ ... }}} stands for an expression. */
public record Template(String text) {

  public boolean isLiteral() {
    return !text.contains("${{");
  }
}
