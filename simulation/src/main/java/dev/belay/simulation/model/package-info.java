/**
 * The store in memory: what PostgreSQL does with our statements under READ COMMITTED, for the
 * simulation. {@link dev.belay.simulation.model.ModelStatement} is the heart: snapshots, row locks,
 * and the second look at a row that was changed meanwhile, with the anomalies that this allows.
 *
 * <p><b>Invariant.</b> Each method of a port has the statements of the PostgreSQL store, one for
 * one, with the same guards (resources/sql of the store is the text to compare with). The contract
 * test runs against both.
 *
 * <p><b>Threads.</b> One. Others act in the middle of a statement, after its snapshot.
 */
@NullMarked
package dev.belay.simulation.model;

import org.jspecify.annotations.NullMarked;
