package dev.belay.workflow;

import dev.belay.workflow.yaml.Position;

/**
 * What is wrong in a workflow file, where, and what would be right. Line and column count from 1.
 */
public record Problem(String file, int line, int column, String message) {

  Position at() {
    return new Position(line, column);
  }

  @Override
  public String toString() {
    return "%s:%d:%d: %s".formatted(file, line, column, message);
  }
}
