/**
 * What every store must do, whatever it is made of: PostgreSQL's and the one in memory pass the
 * same tests, which know only the ports, the way in and what is observed.
 *
 * <p><b>Invariant.</b> PostgreSQL is right: a test that it does not pass is wrong, and a store in
 * memory that answers otherwise is.
 *
 * <p><b>Races.</b> Of two writers both have their snapshots before either writes, and the first
 * commits first. On PostgreSQL they are two sessions behind a lock that a third one holds. In
 * memory the first is run in the middle of a statement of the second, of each statement in turn.
 */
@NullMarked
package dev.belay.simulation.contract;

import org.jspecify.annotations.NullMarked;
