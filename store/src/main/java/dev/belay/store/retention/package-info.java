/**
 * Finished tasks and runs that nobody needs any more: finds them, writes them as lines of JSON, and
 * removes them.
 *
 * <p>A reader gets the version of each row with its id, and the removal compares it. So it removes
 * exactly what was read: a task or run that somebody changed or reopened meanwhile stays. A run is
 * removed before its tasks, in another transaction: no reader finds the run any more, and nothing
 * can reopen its tasks. Tasks that a crash left behind then have no run, and are found like tasks
 * that never had one.
 */
@NullMarked
package dev.belay.store.retention;

import org.jspecify.annotations.NullMarked;
