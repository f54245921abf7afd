/** Crashes between any two statements of the engine, and the state afterwards. */
@NullMarked
package dev.belay.simulation.fault;

import org.jspecify.annotations.NullMarked;
