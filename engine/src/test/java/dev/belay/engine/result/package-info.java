/** Tests of the batches in which results are written. */
@NullMarked
package dev.belay.engine.result;

import org.jspecify.annotations.NullMarked;
