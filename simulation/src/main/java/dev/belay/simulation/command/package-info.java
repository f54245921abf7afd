/**
 * {@code belay simulate}: runs seeds on all cores, reports what occurred, and shrinks a failing
 * seed. {@link dev.belay.simulation.command.Simulate} is the command.
 *
 * <p><b>Invariant.</b> Apart from times, the output depends only on the seeds: results are merged
 * in their order, with any number of threads.
 *
 * <p><b>Threads.</b> The caller's thread merges and prints. Each thread of {@link
 * dev.belay.simulation.command.Runner} runs one seed at a time and shares nothing with the others.
 */
@NullMarked
package dev.belay.simulation.command;

import org.jspecify.annotations.NullMarked;
