/**
 * The statements of the engine and the transactions it runs them in. The engine defines each
 * sequence of statements once; a store only executes them: PostgreSQL as one {@code .sql} file
 * each, the simulation as a few lines on rows.
 *
 * <p>Invariant: a statement is atomic and guarded. It sees what was committed when it began, locks
 * what it writes, and compares the guard with the locked row.
 */
@NullMarked
package dev.belay.engine.statement;

import org.jspecify.annotations.NullMarked;
