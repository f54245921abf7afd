/**
 * What this agent did with its dispatches, kept on disk over its own death.
 *
 * <p>An append-only file of JSON lines: prepared, started, ended, settled. An entry is in the file
 * (the page cache of the kernel, so a killed agent loses nothing) before its act is done: a
 * dispatch is journaled as started before its latch opens, and an outcome before it is sent. Only a
 * crash of the machine can lose entries; then the boot id differs and the journal says that it is
 * not complete, until a server has been told so.
 *
 * <p>Invariants: a dispatch id that is journaled as started, ended or settled is never started
 * again. An unsettled outcome is never dropped. Damage of the file never stops the agent.
 *
 * <p>{@link dev.belay.agent.journal.Journal} is safe for use by any thread; each call is one write.
 */
@NullMarked
package dev.belay.agent.journal;

import org.jspecify.annotations.NullMarked;
