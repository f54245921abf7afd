/** Results of workers, written in shared batches. One thread writes; any thread offers. */
@NullMarked
package dev.belay.engine.result;

import org.jspecify.annotations.NullMarked;
