/**
 * The thin runner around every {@code runOnce()}: hinted, periodic, never ended by what a step
 * throws.
 */
@NullMarked
package dev.belay.engine.loop;

import org.jspecify.annotations.NullMarked;
