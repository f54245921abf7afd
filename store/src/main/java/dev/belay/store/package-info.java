/**
 * PostgreSQL, the one source of truth: migrations, named statements and what every feature package
 * of the store shares.
 *
 * <p>Invariant: SQL lives in {@code resources/sql/<feature>/<verb>_<noun>.sql}, one statement for
 * each file, with named parameters only; guards are in the statement, so that zero rows is an
 * answer.
 *
 * <p>Threads: everything here is stateless or immutable and may be used by any thread.
 */
@NullMarked
package dev.belay.store;

import org.jspecify.annotations.NullMarked;
