/**
 * What stands before the API: connections are counted and bounded, and the head of each HTTP/1
 * request is checked, before a handler or a service sees anything.
 *
 * <p>Invariants: a connection with a request in work is never closed to make room; workers are
 * counted apart, so no number of clients takes their place; file descriptors are left for
 * databases, logs, journals and the processes of tasks.
 *
 * <p>Threads: counted by the event loops of all connections under one lock, which is held for
 * counting only.
 */
@NullMarked
package dev.belay.server.http;

import org.jspecify.annotations.NullMarked;
