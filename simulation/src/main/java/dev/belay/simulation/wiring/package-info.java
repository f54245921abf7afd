/**
 * Where the simulator meets the real world: its clock, its streams and its exit status. Nothing
 * depends on it. One thread.
 */
@NullMarked
package dev.belay.simulation.wiring;

import org.jspecify.annotations.NullMarked;
