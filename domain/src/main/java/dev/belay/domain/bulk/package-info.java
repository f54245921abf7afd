/**
 * Bulk operations: one change of all tasks, or runs, that match a filter. Pure; nothing here reads
 * a clock.
 *
 * <p>An operation is {@code RUNNING} until it is {@code DONE}, {@code CANCELLED} or {@code FAILED}.
 * Its cursor is the last item that it has dealt with; items follow in the order of their ids.
 */
@NullMarked
package dev.belay.domain.bulk;

import org.jspecify.annotations.NullMarked;
