/**
 * What this replica knows of its own health, from memory alone: asking never waits for the database
 * or for a lock that a loop holds, so the answer is also true while the database is away.
 *
 * <p><b>Threads.</b> The probe's loop writes; anybody reads.
 */
@NullMarked
package dev.belay.server.health;

import org.jspecify.annotations.NullMarked;
