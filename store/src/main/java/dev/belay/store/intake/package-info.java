/**
 * Accepts work: submitted tasks, registered workflows, triggered runs.
 *
 * <p>Invariant: one call is one transaction, and the caller gets ids only after commit. The same
 * transaction claims the idempotency key and stores its rows. Of two calls with the same key,
 * exactly one stores rows and both return the same ids.
 *
 * <p>Threads: any; the classes are stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.intake;

import org.jspecify.annotations.NullMarked;
