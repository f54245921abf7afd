/**
 * Results of workers, written in shared batches. One thread writes; any thread offers. What a
 * report does to its task is decided here ({@link dev.belay.engine.result.Decision}) for every
 * store, under the lock that the store holds.
 */
@NullMarked
package dev.belay.engine.result;

import org.jspecify.annotations.NullMarked;
