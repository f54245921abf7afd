package dev.belay.buildtools.violations.cycle.left;

import dev.belay.buildtools.violations.cycle.right.Right;

/** One half of a cycle of packages. */
public interface Left {
  Right right();
}
