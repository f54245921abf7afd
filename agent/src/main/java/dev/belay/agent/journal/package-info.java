/**
 * The record of this agent's dispatches on disk, which survives the agent.
 *
 * <p>An append-only file of JSON lines: prepared, started, ended, settled. The agent writes an
 * entry before it acts: it journals a start before it opens the latch, and an outcome before it
 * sends it. A write goes to the kernel's page cache, so a killed agent loses nothing. Only a crash
 * of the machine can lose entries. The boot id then differs, and the journal counts as incomplete
 * until a server knows of it. Each line about an unsettled dispatch names its task, which every
 * report to a server needs.
 *
 * <p>Invariants: the agent never again starts a dispatch id that is journaled as started, ended or
 * settled. It never drops an unsettled outcome. A damaged file never stops the agent.
 *
 * <p>{@link dev.belay.agent.journal.Journal} is thread-safe; each call is one write.
 */
@NullMarked
package dev.belay.agent.journal;

import org.jspecify.annotations.NullMarked;
