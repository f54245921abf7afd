/**
 * The contract of every store: the PostgreSQL store and the one in memory pass the same tests,
 * which use only the ports, the client calls and the observed content.
 *
 * <p><b>Invariant.</b> PostgreSQL is right: a test that it fails is wrong, and so is a store in
 * memory that differs.
 *
 * <p><b>Races.</b> Two writers both take their snapshots before either writes, and the first
 * commits first. On PostgreSQL they are two sessions that wait for a lock of a third. In memory the
 * first runs in the middle of a statement of the second, for each statement in turn.
 */
@NullMarked
package dev.belay.simulation.contract;

import org.jspecify.annotations.NullMarked;
