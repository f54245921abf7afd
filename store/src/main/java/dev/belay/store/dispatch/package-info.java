/**
 * What dispatching reads and writes: workers, candidates, claims, due retries. Leader only, under
 * the epoch lock.
 */
@NullMarked
package dev.belay.store.dispatch;

import org.jspecify.annotations.NullMarked;
