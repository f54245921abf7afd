/** Crashes between any two statements of the engine's work, and what is true afterwards. */
@NullMarked
package dev.belay.simulation.fault;

import org.jspecify.annotations.NullMarked;
