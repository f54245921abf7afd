/**
 * Backfills: runs of a workflow for the instants of a range. Pure; nothing here reads a clock.
 *
 * <p>A backfill is {@code RUNNING} or {@code PAUSED} until it is {@code COMPLETED} or {@code
 * CANCELLED}. Its cursor is the first instant that is not decided, in its order.
 */
@NullMarked
package dev.belay.domain.backfill;

import org.jspecify.annotations.NullMarked;
