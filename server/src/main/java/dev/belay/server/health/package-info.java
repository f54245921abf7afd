/**
 * This replica's own health, from memory alone. A report never waits for the database or for a lock
 * that a loop holds, so it stays correct while the database is down.
 *
 * <p><b>Threads.</b> The probe's loop writes; any thread reads.
 */
@NullMarked
package dev.belay.server.health;

import org.jspecify.annotations.NullMarked;
