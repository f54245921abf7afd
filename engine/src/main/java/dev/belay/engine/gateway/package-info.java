/**
 * The server's side of worker streams: carries out the commands of the session state machines.
 * Invariant: the events of one stream are handled one at a time; no stream waits for another.
 */
@NullMarked
package dev.belay.engine.gateway;

import org.jspecify.annotations.NullMarked;
