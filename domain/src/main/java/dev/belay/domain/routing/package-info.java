/** Chooses the worker for each task. */
@NullMarked
package dev.belay.domain.routing;

import org.jspecify.annotations.NullMarked;
