/**
 * PostgreSQL, the one source of truth: migrations, named statements, and the code that the store's
 * feature packages share.
 *
 * <p>Invariant: SQL lives in {@code resources/sql/<feature>/<verb>_<noun>.sql}, one statement per
 * file, with named parameters only. Guards are in the statement, so zero rows is an answer.
 *
 * <p>Threads: everything here is stateless or immutable; any thread may use it.
 */
@NullMarked
package dev.belay.store;

import org.jspecify.annotations.NullMarked;
