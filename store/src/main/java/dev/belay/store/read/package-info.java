/**
 * Tasks, runs, workflows and workers as people and programs see them.
 *
 * <p>Invariant: nothing here writes or locks. Each answer has a limit and comes from one statement.
 * A record component has the name of its JSON field.
 *
 * <p>Threads: any; {@link Reads} is stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.read;

import org.jspecify.annotations.NullMarked;
