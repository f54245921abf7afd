/**
 * The contract of crash-safe intake, and its test. It holds for everything that brings work or news
 * into Belay: bulk submits and the results of workers today, a message bus later. Each is an {@link
 * dev.belay.simulation.intake.Inlet}; a new one joins the test.
 *
 * <ol>
 *   <li><b>Once by key.</b> A message has a key that its sender chose: the idempotency key of a
 *       submit, the dispatch and the session of a result. The transaction that writes its effect
 *       also writes what recognises the key: the row of {@code idempotency}, or the state of the
 *       attempt. So a message that comes again, to any replica, finds its effect and gets the same
 *       answer.
 *   <li><b>Answered after the commit.</b> The sender keeps a message until it is answered, and
 *       sends it again otherwise. There is no other copy: no queue in memory holds a message that
 *       its sender has forgotten.
 *   <li><b>In flight is a lock.</b> While one process works on a message, its lock on the key's row
 *       or on the task marks it. Another delivery waits for the lock, and then finds the effect.
 *       When the process dies, the database removes the mark together with the open transaction, so
 *       no mark outlives its process and none needs a time limit.
 *   <li><b>All or nothing.</b> At whatever point the process dies, the database has the whole
 *       effect or none of it.
 *   <li><b>A dead letter before giving up.</b> The transaction that gives work up writes its dead
 *       letter. There is no moment at which the work is over and the dead letter is missing.
 * </ol>
 *
 * <p>A message that can never be accepted is refused with an answer; its sender still has it.
 */
@NullMarked
package dev.belay.simulation.intake;

import org.jspecify.annotations.NullMarked;
