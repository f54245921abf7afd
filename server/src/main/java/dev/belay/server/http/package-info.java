/**
 * The layer before the API: it counts and bounds connections and checks the head of each HTTP/1
 * request before any handler or service sees it.
 *
 * <p>Invariants: a connection with an open request never closes to make room. Workers are counted
 * apart, so clients cannot take their places. File descriptors stay free for databases, logs,
 * journals and the processes of tasks.
 *
 * <p>Threads: the event loops of all connections share one lock, held only to count.
 */
@NullMarked
package dev.belay.server.http;

import org.jspecify.annotations.NullMarked;
