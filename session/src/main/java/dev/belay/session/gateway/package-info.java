/**
 * The server's end of a worker session, as a sans-I/O state machine: events in, an ordered list of
 * commands out. {@link dev.belay.session.gateway.WorkerConnection} is one stream.
 *
 * <p><b>Truth.</b> The database is authoritative. A connection compares it with what the agent
 * reports (its Hello and later messages) and sends the difference. It ends with its stream and
 * nothing is lost: the next Hello starts from the database again. Every event names its task: a
 * mailbox decides which one, then the agent's first message about the dispatch.
 *
 * <p><b>Invariant.</b> A connection declares a dispatch lost, or moves it to another session, only
 * from a mailbox that was read, or a heartbeat that was written, while it was the worker's newest
 * connection, and only with a guard on the dispatch's session. So a late or superseded connection
 * does no harm. A start is granted only after its commit.
 *
 * <p><b>States of a dispatch.</b> {@link dev.belay.session.gateway.Known} lists them. The Hello, an
 * assignment and the agent's messages lead to <em>Preparing</em>, <em>Running</em> and
 * <em>Died</em>, the open states: only in these does a mailbox or a heartbeat decide anything. From
 * there, either the agent reports the end (<em>Ended</em>), or this connection declares it
 * <em>Lost</em>; both wait for the database. Its answer makes it <em>Settled</em>; but if it
 * rejects a loss, the dispatch is open as before. An end outweighs a loss: Lost becomes Ended when
 * the agent reports it. A Settled dispatch is dropped with the first mailbox that lacks it.
 *
 * <p><b>What the adapter guarantees.</b> It executes commands in order, and answers each {@code
 * Register}, {@code ReadMailbox}, {@code Apply} and {@code Rebind} exactly once after its commit
 * (it retries while the database is down), or closes the connection.
 *
 * <p><b>Threads.</b> None here. One caller at a time; the adapter serializes.
 */
@NullMarked
package dev.belay.session.gateway;

import org.jspecify.annotations.NullMarked;
