/**
 * The logs of dispatches on their way to the server: spooled to bounded files, shipped in chunks by
 * offset, kept until acknowledged.
 *
 * <p>Invariants: a task never waits for its log. A long log keeps its beginning, which ships as it
 * grows, and its end, which ships when the log closes; the agent reads the part between and drops
 * it. A mark in the log replaces every missing part. The agent deletes a file only when the server
 * has all of it and the dispatch is settled, or when all logs together exceed their limit; then a
 * mark stays for the server. An empty log has no file and never ships. When the server cannot store
 * logs, all logs wait, one chunk at a time probes the server, and no outcome waits for its log.
 *
 * <p>{@link dev.belay.agent.logs.LogSpool} belongs to the pump thread; {@link
 * dev.belay.agent.logs.LogShipper} is thread-safe and does no network I/O.
 */
@NullMarked
package dev.belay.agent.logs;

import org.jspecify.annotations.NullMarked;
