/** Writes workers' results in batches by compare-and-set. Any replica. */
@NullMarked
package dev.belay.store.result;

import org.jspecify.annotations.NullMarked;
