/**
 * Authentication: who may call, and under which name.
 *
 * <p>Invariant: Belay stores and compares only a token's SHA-256, in constant time, and never logs
 * the token. The worker token opens only the gateway. A request for an unknown host is refused
 * before anything else, so a web page cannot reach the server through DNS rebinding.
 *
 * <p>Threads: everything is immutable; any thread.
 */
@NullMarked
package dev.belay.server.auth;

import org.jspecify.annotations.NullMarked;
