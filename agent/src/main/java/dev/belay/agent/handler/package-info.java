/**
 * Dispatches executed in the agent's JVM by a {@link dev.belay.agent.handler.Handler}. Invariant: a
 * dispatch ends when its handler returned, never before; each runs on a thread of its own.
 */
@NullMarked
package dev.belay.agent.handler;

import org.jspecify.annotations.NullMarked;
