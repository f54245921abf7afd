/** Advances a run: which tasks exist, start, are skipped, and how the run ends. */
@NullMarked
package dev.belay.domain.plan;

import org.jspecify.annotations.NullMarked;
