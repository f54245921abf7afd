/**
 * The worker's end of a session, as a sans-I/O state machine: events in, an ordered list of
 * commands out. {@link dev.belay.session.agent.AgentSession} is its entry.
 *
 * <p><b>Identities.</b> A worker lives in a state folder, a session is one process of it, a
 * connection is one stream of a session (counted from 1). A dispatch id identifies one attempt of
 * one task.
 *
 * <p><b>Invariant.</b> A worker opens a dispatch at most once in its life. It records the id before
 * it creates a process, and the start before it opens the latch; it never starts an id that is
 * recorded as started or settled. It records an outcome before it sends it, repeats it on every
 * connection, and forgets it only when the server settled it. It opens a strict dispatch only after
 * the server confirmed that the start is committed, and only while the lease lasts.
 *
 * <p><b>What the adapter guarantees.</b> It executes the commands of a list in order, and the lists
 * in the order of their events; a {@code Persist} is durable before the next command runs. After
 * {@code disconnected()}, no message of the old stream reaches {@code received}: a late Assign
 * would contradict the last Hello.
 *
 * <p><b>Threads.</b> None here. One caller at a time; the adapter serializes.
 */
@NullMarked
package dev.belay.session.agent;

import org.jspecify.annotations.NullMarked;
