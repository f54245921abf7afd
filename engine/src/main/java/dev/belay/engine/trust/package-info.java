/**
 * Sets workers aside on which tasks fail fast and often.
 *
 * <p><b>Who knows what.</b> All results of a worker come over its one stream, to one replica, which
 * need not lead. So each replica counts, in memory, the failures in a row of the workers that
 * report to it: the usual end of a task costs no write. Only when a row of failures becomes
 * suspicious does the replica write its length to the worker's row, after the commit of the results
 * and before it tells anyone that a slot is free. The leader reads these rows by a small index
 * whenever it reads the workers. So it knows of the failures before it knows of the slots that they
 * freed, and compares the worker with the others of its pools.
 *
 * <p><b>After an election</b> the new leader reads the same rows. A worker that connects to another
 * replica starts a new count there; the length in its row stays until that replica writes another.
 *
 * <p><b>Invariant.</b> Only the leader sets a worker aside, behind the epoch lock, and only the
 * session that failed. Nothing but a person brings it back.
 */
@NullMarked
package dev.belay.engine.trust;

import org.jspecify.annotations.NullMarked;
