/**
 * The logs of dispatches on their way to the server: spooled to a bounded file each, shipped in
 * chunks by offset, kept until acknowledged.
 *
 * <p>Invariants: a task never waits for its log (what is over the bound is read and dropped, and
 * the log says so). A file is deleted only when the server has all of it and the dispatch is
 * settled, or when the logs of all dispatches together are over their bound. A log without a byte
 * has no file and is never shipped.
 *
 * <p>{@link dev.belay.agent.logs.LogSpool} belongs to the pump thread; {@link
 * dev.belay.agent.logs.LogShipper} is safe for use by any thread and does no network I/O.
 */
@NullMarked
package dev.belay.agent.logs;

import org.jspecify.annotations.NullMarked;
