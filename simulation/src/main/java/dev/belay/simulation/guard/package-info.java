/**
 * What keeps two that do not know of each other from harm, by name, so that the sabotage test can
 * take it out. Invariant: it knows nothing of what it guards. Plain values, any thread.
 */
@NullMarked
package dev.belay.simulation.guard;

import org.jspecify.annotations.NullMarked;
