/**
 * The REST API: submit, read, steer, follow, health.
 *
 * <p>Invariant: {@link dev.belay.server.api.Route} lists every route with its permission, which is
 * checked before any of the request's body is read. Every error is {@code
 * application/problem+json}. A refused request stores nothing. Waits, bodies and streams are
 * bounded in number, size and time.
 *
 * <p>Threads: handlers block, so they run on the injected executor (virtual threads), never on an
 * event loop. Their only state is the semaphores that bound them.
 */
@NullMarked
package dev.belay.server.api;

import org.jspecify.annotations.NullMarked;
