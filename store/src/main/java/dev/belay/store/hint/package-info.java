/**
 * Hints between replicas by LISTEN and NOTIFY, on connections of their own, after commit,
 * coalesced. Invariant: nothing depends on them; every receiver polls too.
 */
@NullMarked
package dev.belay.store.hint;

import org.jspecify.annotations.NullMarked;
