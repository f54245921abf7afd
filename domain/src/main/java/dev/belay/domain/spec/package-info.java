/** The validated form of what users write: workflows, tasks, policies. Immutable. */
@NullMarked
package dev.belay.domain.spec;

import org.jspecify.annotations.NullMarked;
