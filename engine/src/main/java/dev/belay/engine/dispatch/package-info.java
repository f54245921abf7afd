/**
 * Dispatch: routing in the tick, claims in a bounded pool beside it. Invariant: a task is delivered
 * only after its claim committed. The phase runs on the leader's thread, claims on the pool's.
 */
@NullMarked
package dev.belay.engine.dispatch;

import org.jspecify.annotations.NullMarked;
