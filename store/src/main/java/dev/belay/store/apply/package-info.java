/**
 * Applies sets of files: many workflows and the system file, in one transaction or not at all.
 *
 * <p>Invariant: sets are applied one after the other, and no workflow is registered or rolled back
 * meanwhile (an advisory lock). So of two sets at once, the second is compared with the result of
 * the first. A plan that a person confirmed has a token; the set is applied only if its plan still
 * has that token.
 *
 * <p>A set does not race with dispatch: runs keep the version that they were triggered with, and
 * only the limits and the deletion in {@code workflow_control} are common to all versions. The
 * engine and the simulation's model do not know sets.
 *
 * <p>Threads: any; the classes are stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.apply;

import org.jspecify.annotations.NullMarked;
