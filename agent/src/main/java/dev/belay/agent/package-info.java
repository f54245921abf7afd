/**
 * The worker process: {@link dev.belay.agent.Agent} joins folder, journal, processes, logs and the
 * session with the server into one thing that runs until closed.
 *
 * <p>Invariant: whatever ends it, nothing that it ran survives it, and what it knew of an outcome
 * is in its journal. Wiring happens on the caller's thread; {@code close} may be called by any
 * thread, also twice.
 */
@NullMarked
package dev.belay.agent;

import org.jspecify.annotations.NullMarked;
