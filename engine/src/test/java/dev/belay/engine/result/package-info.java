/** Tests of the batches of results. */
@NullMarked
package dev.belay.engine.result;

import org.jspecify.annotations.NullMarked;
