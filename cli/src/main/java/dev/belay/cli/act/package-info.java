/**
 * Commands that ask a server to do something, and the small ones that need no server.
 *
 * <p>Invariant: what is submitted or triggered carries an idempotency key, so that asking again
 * after a lost answer does nothing twice. Touched by the one thread that runs the command.
 */
@NullMarked
package dev.belay.cli.act;

import org.jspecify.annotations.NullMarked;
