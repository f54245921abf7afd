/**
 * The statements of dispatch: workers, candidates, claims, due retries. Only the leader runs them,
 * under the epoch lock.
 */
@NullMarked
package dev.belay.store.dispatch;

import org.jspecify.annotations.NullMarked;
