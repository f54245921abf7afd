/**
 * What dispatching reads and writes: workers, candidates, claims, due retries. Leader only, fenced.
 */
@NullMarked
package dev.belay.store.dispatch;

import org.jspecify.annotations.NullMarked;
