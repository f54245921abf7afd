/**
 * Leadership and the tick. Invariant: at most one epoch can write, whatever any replica believes.
 * Two threads: election and tick; the epoch is all they share.
 */
@NullMarked
package dev.belay.engine.leader;

import org.jspecify.annotations.NullMarked;
