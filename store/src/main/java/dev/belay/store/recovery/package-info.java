/**
 * Measures recoveries: one row for each task or run that stalled and was detected, and an alert
 * when the detection took longer than promised.
 *
 * <p>Invariant: a recovery commits with the ending that it measures, or not at all. It closes once
 * the task runs again or ends, and never reopens.
 *
 * <p>Threads: any, unless documented otherwise; stateless over a thread-safe Jdbi.
 */
@NullMarked
package dev.belay.store.recovery;

import org.jspecify.annotations.NullMarked;
