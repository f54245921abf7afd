/** Advances a run: decides which tasks to create, start or skip, and how the run ends. */
@NullMarked
package dev.belay.domain.plan;

import org.jspecify.annotations.NullMarked;
