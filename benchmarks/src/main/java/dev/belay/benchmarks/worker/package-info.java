/**
 * The worker of the benchmarks: the real agent with a handler that does nothing. Its main thread
 * answers orders; handlers run on the agent's threads.
 */
@NullMarked
package dev.belay.benchmarks.worker;

import org.jspecify.annotations.NullMarked;
