/**
 * Who may call, and under which name.
 *
 * <p>Invariant: a token is never kept, logged or compared as text, only its SHA-256, in constant
 * time; the worker token opens nothing but the gateway. A request that names a host we do not know
 * is refused before anything else, so that a web page cannot reach us through DNS rebinding.
 *
 * <p>Threads: everything is immutable; any thread.
 */
@NullMarked
package dev.belay.server.auth;

import org.jspecify.annotations.NullMarked;
