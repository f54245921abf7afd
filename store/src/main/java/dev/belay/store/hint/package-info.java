/**
 * Hints between replicas by LISTEN and NOTIFY, on separate connections, after commit, coalesced.
 * Invariant: nothing depends on a hint; every receiver also polls.
 */
@NullMarked
package dev.belay.store.hint;

import org.jspecify.annotations.NullMarked;
