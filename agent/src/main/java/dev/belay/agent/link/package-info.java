/**
 * A running worker session: the sans-I/O {@link dev.belay.session.agent.AgentSession} joined to the
 * network, the journal, the processes and the logs.
 *
 * <p><b>Invariants.</b> One thread, the loop, owns the session; every event is posted to it, and
 * the commands of an event are executed there in their order before the next event. A journal entry
 * is written before the commands behind it run; when it cannot be, the agent stops. Nothing of an
 * old stream is heard once another one was begun. An outcome is in the journal at once, but told to
 * the server only when the server has the log of it, or the time that it waits for that is over.
 *
 * <p><b>Threads.</b> The loop: {@link dev.belay.agent.link.SessionLoop}, {@code Tasks} and the
 * writing side of {@code SessionStream}. The log thread: {@link dev.belay.agent.link.LogStream}.
 * The network's threads and the pool that prepares processes only post. Nothing on the loop blocks
 * but the write of the journal.
 */
@NullMarked
package dev.belay.agent.link;

import org.jspecify.annotations.NullMarked;
