/**
 * Bulk operations: one change of every task, or run, that matches a filter.
 *
 * <p>The leader works operations off, in a loop beside the tick. A replica that does not lead needs
 * no lease of its own: the leader is elected anyway, and its successor goes on within seconds.
 *
 * <p>Invariant: a transaction that changes items first locks the operation, RUNNING and with the
 * cursor at which it was read, and moves the cursor last. So a cancel comes before all of it or
 * after, two leaders never work at the same place, and no item is dealt with twice.
 *
 * <p>Each item changes through the script that serves requests about single items, under the same
 * guards. Items that lock nothing but their own row share a transaction, in the order of their ids;
 * one that locks the tasks of a run and the run has its own. When a transaction fails, its items
 * are tried one by one, and one that fails each time is counted and left behind.
 *
 * <p>Threads: one loop calls {@link dev.belay.engine.bulk.BulkPhase}. {@link
 * dev.belay.engine.bulk.BulkSteering} is stateless.
 */
@NullMarked
package dev.belay.engine.bulk;

import org.jspecify.annotations.NullMarked;
