/**
 * The server's side of worker streams: executes the commands of the session state machines.
 * Invariant: each stream handles one event at a time; no stream waits for another.
 */
@NullMarked
package dev.belay.engine.gateway;

import org.jspecify.annotations.NullMarked;
