/** Tests of the command with simulators that fail on demand, and with the real one. */
@NullMarked
package dev.belay.simulation.command;

import org.jspecify.annotations.NullMarked;
