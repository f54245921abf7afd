/**
 * The worker's end of a session, as a sans-I/O state machine: events in, an ordered list of
 * commands out. {@link dev.belay.session.agent.AgentSession} is the whole of it.
 *
 * <p><b>Identities.</b> A worker lives in a state folder, a session is one process of it, a
 * connection is one stream of a session (counted from 1). A dispatch id names one try of one task.
 *
 * <p><b>Invariant.</b> A dispatch is opened at most once in the life of its worker: its id is
 * recorded before a process is made for it, its start before the latch is opened, and an id that
 * was recorded as started or settled is never started again. An outcome is recorded before it is
 * sent, sent again on every connection, and forgotten only when the server settled it. A strict
 * dispatch is opened only after the server said that its start is committed, and only while its
 * lease lasts.
 *
 * <p><b>What the adapter guarantees.</b> Commands of one list are executed in their order, and the
 * lists in the order of their events; a {@code Persist} is durable before the next command runs.
 * Once {@code disconnected()} was called, nothing that the old stream still delivers reaches {@code
 * received}: a late Assign of an old stream would defeat what the last Hello said.
 *
 * <p><b>Threads.</b> None here. One caller at a time; the adapter serializes.
 */
@NullMarked
package dev.belay.session.agent;

import org.jspecify.annotations.NullMarked;
