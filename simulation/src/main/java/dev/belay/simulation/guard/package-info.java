/**
 * Guards against races, by name, so that the sabotage test can remove each. Invariant: independent
 * of the code that they guard. Plain values, any thread.
 */
@NullMarked
package dev.belay.simulation.guard;

import org.jspecify.annotations.NullMarked;
