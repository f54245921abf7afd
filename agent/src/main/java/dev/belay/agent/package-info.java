/**
 * The worker process: {@link dev.belay.agent.Agent} connects folder, journal, processes, logs and
 * the session with the server.
 *
 * <p>Invariant: however the agent ends, no process of its tasks survives it, and its journal holds
 * every outcome that it knew. The caller's thread does the wiring; any thread may call {@code
 * close}, more than once.
 */
@NullMarked
package dev.belay.agent;

import org.jspecify.annotations.NullMarked;
