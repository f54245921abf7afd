/**
 * Commands that request a change from a server, and the small ones that need no server.
 *
 * <p>Invariant: every submit and trigger carries an idempotency key, so a repeated request after a
 * lost answer does nothing twice. One thread runs the command.
 */
@NullMarked
package dev.belay.cli.act;

import org.jspecify.annotations.NullMarked;
