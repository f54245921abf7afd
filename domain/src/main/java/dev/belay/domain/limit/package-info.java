/**
 * Limits on the tasks that hold a place: slots of a pool, tasks of a tenant, of a workflow and of a
 * concurrency key, and the rate of a key. A task holds its places while it is DISPATCHED or
 * RUNNING. Invariant: what a task queue has room for follows from the places that are held and from
 * the current limits alone, so a limit that changes counts at once.
 */
@NullMarked
package dev.belay.domain.limit;

import org.jspecify.annotations.NullMarked;
