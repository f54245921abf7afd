/**
 * The store in memory: models how PostgreSQL executes our statements under READ COMMITTED. {@link
 * dev.belay.simulation.model.ModelStatement} is the core: snapshots, row locks, and the recheck of
 * a row that changed meanwhile, with the anomalies that this allows.
 *
 * <p><b>Invariant.</b> Each method of a port has the statements of the PostgreSQL store, one for
 * one, with the same guards (compare with resources/sql of the store). The contract test runs
 * against both.
 *
 * <p><b>Threads.</b> One. Others act in the middle of a statement, after its snapshot.
 */
@NullMarked
package dev.belay.simulation.model;

import org.jspecify.annotations.NullMarked;
