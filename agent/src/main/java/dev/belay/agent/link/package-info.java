/**
 * A running worker session: connects the sans-I/O {@link dev.belay.session.agent.AgentSession} to
 * the network, the journal, the processes and the logs.
 *
 * <p><b>Invariants.</b> One thread, the loop, owns the session. Everything else posts events to it,
 * and it executes their commands in order. It writes a journal entry before it runs the commands
 * that follow it; if it cannot write a beginning, it refuses the dispatch. It ignores an old stream
 * once it has opened a new one. It journals an outcome at once, and sends it when the server has
 * the log or the wait for the log is over.
 *
 * <p><b>Threads.</b> The loop: {@link dev.belay.agent.link.SessionLoop}, {@code Tasks} and the
 * writing side of {@code SessionStream}. The log thread: {@link dev.belay.agent.link.LogStream}.
 * The network threads and the pool that prepares processes only post events. On the loop, only the
 * write of the journal blocks.
 */
@NullMarked
package dev.belay.agent.link;

import org.jspecify.annotations.NullMarked;
