/**
 * Connects the simulator to the real clock, streams and exit status. Nothing depends on it. One
 * thread.
 */
@NullMarked
package dev.belay.simulation.wiring;

import org.jspecify.annotations.NullMarked;
