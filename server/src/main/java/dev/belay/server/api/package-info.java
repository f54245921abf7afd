/**
 * The REST API: submit, read, steer, follow, health.
 *
 * <p>Invariant: every route is in {@link dev.belay.server.api.Route} with the permission it needs,
 * which is checked before anything of the request's body is read; every error is {@code
 * application/problem+json}; a refused request stores nothing. Waits, bodies and streams are
 * bounded in number, size and time.
 *
 * <p>Threads: handlers block, so they run on the injected executor (virtual threads), never on an
 * event loop. Handlers keep no state beside the semaphores that bound them.
 */
@NullMarked
package dev.belay.server.api;

import org.jspecify.annotations.NullMarked;
