/**
 * The change feed. Every statement that changes the state of a task or run inserts one row into
 * {@code feed}, with arrays of what it changed. A row's id is drawn while the changed rows are
 * locked, so for one task the order of ids is the order of commits. But ids do not become visible
 * in this order: a transaction may draw an id and commit long after later ids are visible.
 *
 * <p>So a reader works in two phases. It takes a bound: first it reads the last id N that was
 * drawn, then it gets an xid X of its own. A statement draws an id from the rows that it has
 * written, so its transaction has an xid by then. Therefore every transaction that drew an id up to
 * N has an xid below X. Once a later snapshot has no running transaction below X ({@code xmin >=
 * X}), all rows up to N are visible or will never be, and the reader may pass them in the order of
 * their ids.
 *
 * <p>The xmax of a snapshot cannot replace X. It is one above the highest xid that has ended, and
 * running transactions may have higher ones. Taking a bound also writes to the WAL and waits for
 * it, so that a crash of the database cannot give N or X out a second time.
 *
 * <p>Any running transaction with an xid, also one of another database of the same PostgreSQL,
 * holds readers back. They miss nothing; they only wait.
 */
@NullMarked
package dev.belay.store.feed;

import org.jspecify.annotations.NullMarked;
