package dev.belay.buildtools.violations.cycle.right;

import dev.belay.buildtools.violations.cycle.left.Left;

/** One half of a cycle of packages. */
public interface Right {
  Left left();
}
