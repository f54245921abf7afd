/** Tests of the command on simulators that fail when told to, and on the real one. */
@NullMarked
package dev.belay.simulation.command;

import org.jspecify.annotations.NullMarked;
