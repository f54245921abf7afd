/**
 * When triggers fire: pure functions of an expression, a zone, a calendar and the last instant.
 *
 * <p>An <i>instant</i> is a point in time at which a trigger should fire, before its jitter. It is
 * the trigger's key in the ledger. Nothing here reads a clock.
 */
@NullMarked
package dev.belay.domain.schedule;

import org.jspecify.annotations.NullMarked;
