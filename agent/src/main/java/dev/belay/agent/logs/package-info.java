/**
 * The logs of dispatches on their way to the server: spooled to bounded files, shipped in chunks by
 * offset, kept until acknowledged.
 *
 * <p>Invariants: a task never waits for its log. A long log keeps its beginning, which is shipped
 * as it grows, and its end, which is shipped when it is closed; what lies between is read and
 * dropped. What is not in a log is marked in it. A file is deleted only when the server has all of
 * it and the dispatch is settled, or when the logs of all dispatches together are over their bound;
 * then a mark stays for the server. A log without a byte has no file and is never shipped. When the
 * server cannot store logs, all wait, one chunk at a time tries, and no outcome waits for its log.
 *
 * <p>{@link dev.belay.agent.logs.LogSpool} belongs to the pump thread; {@link
 * dev.belay.agent.logs.LogShipper} is safe for use by any thread and does no network I/O.
 */
@NullMarked
package dev.belay.agent.logs;

import org.jspecify.annotations.NullMarked;
