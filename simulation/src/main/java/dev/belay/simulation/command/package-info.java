/**
 * {@code belay simulate}: runs seeds on all cores, tells what occurred, and makes a failing seed
 * small. {@link dev.belay.simulation.command.Simulate} is the command.
 *
 * <p><b>Invariant.</b> What is printed depends on the seeds alone, apart from times: results are
 * merged in the order of the seeds, however many threads ran them.
 *
 * <p><b>Threads.</b> The caller's merges and prints; {@link dev.belay.simulation.command.Runner}
 * has some of its own, each of which runs one seed at a time and shares nothing with the others.
 */
@NullMarked
package dev.belay.simulation.command;

import org.jspecify.annotations.NullMarked;
