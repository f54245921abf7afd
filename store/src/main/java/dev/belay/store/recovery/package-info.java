/**
 * Recoveries are measured: one row for each task or run that hung and was found, and an alert when
 * that took longer than promised.
 *
 * <p>Invariant: the row of a recovery commits with the ending that it measures, or not at all. It
 * is closed once the task runs again or is over, and never opened again.
 *
 * <p>Threads: any; a class here is stateless over a thread-safe Jdbi, unless it says otherwise.
 */
@NullMarked
package dev.belay.store.recovery;

import org.jspecify.annotations.NullMarked;
