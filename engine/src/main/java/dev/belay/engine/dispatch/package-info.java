/**
 * Dispatch: the tick routes, a bounded pool claims. Invariant: a task is delivered only after its
 * claim committed. The phase runs on the leader's thread, claims on the pool's threads.
 */
@NullMarked
package dev.belay.engine.dispatch;

import org.jspecify.annotations.NullMarked;
