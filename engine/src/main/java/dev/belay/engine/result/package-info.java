/**
 * Writes the results of workers in shared batches. One thread writes; any thread offers. {@link
 * dev.belay.engine.result.Decision} decides for every store what a result does to its task, under
 * the lock that the store holds.
 */
@NullMarked
package dev.belay.engine.result;

import org.jspecify.annotations.NullMarked;
