/**
 * The server's end of a worker session, as a sans-I/O state machine: events in, an ordered list of
 * commands out. {@link dev.belay.session.gateway.WorkerConnection} is one stream.
 *
 * <p><b>Truth.</b> The database is; a connection only compares it with what the agent says (its
 * Hello, and what was said since) and sends the difference. It dies with its stream and nothing is
 * lost by that: the next Hello begins from the database again.
 *
 * <p><b>Invariant.</b> A dispatch is declared lost, or moved to another session, only from a
 * mailbox that was read, or a heartbeat that was written, while this connection was the worker's
 * newest one, and only by a guard on the session that it was bound to. So a connection that is late
 * or superseded can do no harm. A start is granted only after it was committed.
 *
 * <p><b>States of a dispatch.</b> {@link dev.belay.session.gateway.Known} names them. The Hello, an
 * assignment and the agent's words lead to <em>Preparing</em>, <em>Running</em> and <em>Died</em>,
 * which are open: only in these does a mailbox or a heartbeat decide anything. From there either
 * the agent says how it ended (<em>Ended</em>), or this connection declares it <em>Lost</em>; both
 * wait for the database. Its answer makes it <em>Settled</em>, unless it does not agree with a
 * loss: the dispatch is then open as before. An end counts more than a loss: what is Lost becomes
 * Ended when the agent says so. A Settled dispatch leaves with the first mailbox that lacks it.
 *
 * <p><b>What the adapter guarantees.</b> Commands are carried out in order; each {@code Register},
 * {@code ReadMailbox}, {@code Apply} and {@code Rebind} is answered exactly once after its commit
 * (repeated by the adapter while the database is away), or the connection is closed.
 *
 * <p><b>Threads.</b> None here. One caller at a time; the adapter serializes.
 */
@NullMarked
package dev.belay.session.gateway;

import org.jspecify.annotations.NullMarked;
