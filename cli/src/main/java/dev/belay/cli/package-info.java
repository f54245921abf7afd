/**
 * The {@code belay} command.
 *
 * <p>Invariant: a command loads only what it needs; those that talk to a server load no class of
 * the server and no logging. The main thread runs the command; signals arrive on threads of their
 * own and only set flags or interrupt it.
 */
@NullMarked
package dev.belay.cli;

import org.jspecify.annotations.NullMarked;
