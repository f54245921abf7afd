/**
 * The statements that the engine runs, and the transactions that it runs them in. A script of
 * several statements is written once, in the engine; a store only carries its statements out: on
 * PostgreSQL one {@code .sql} file for each, in the simulation a few lines on rows.
 *
 * <p>Invariant: a statement is atomic and guarded. It sees what was committed when it began, locks
 * what it writes, and compares the guard with the row as it is then.
 */
@NullMarked
package dev.belay.engine.statement;

import org.jspecify.annotations.NullMarked;
