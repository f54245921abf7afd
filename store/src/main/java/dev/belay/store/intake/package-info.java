/**
 * How work is accepted: submitted tasks, registered workflows, triggered runs.
 *
 * <p>Invariant: one call is one transaction, all of it or nothing; an id is answered only after
 * commit. An idempotency key is claimed in the same transaction as what it stands for, so that of
 * two calls with the same key exactly one stores something and both get its ids.
 *
 * <p>Threads: any; the classes are stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.intake;

import org.jspecify.annotations.NullMarked;
