/**
 * Executes dispatches in the agent's JVM through a {@link dev.belay.agent.handler.Handler}.
 * Invariant: a dispatch ends when its handler has returned, never before. Each has its own thread.
 */
@NullMarked
package dev.belay.agent.handler;

import org.jspecify.annotations.NullMarked;
