/**
 * What people and programs see of tasks, runs, workflows and workers.
 *
 * <p>Invariant: nothing here writes or locks; each answer is bounded by a limit and comes from one
 * statement; a component of a record has the name of its JSON field.
 *
 * <p>Threads: any; {@link Reads} is stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.read;

import org.jspecify.annotations.NullMarked;
