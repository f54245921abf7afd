/**
 * Commands that only read from a server.
 *
 * <p>Invariant: {@code -o json} prints the objects of the API unchanged. One thread runs the
 * command.
 */
@NullMarked
package dev.belay.cli.read;

import org.jspecify.annotations.NullMarked;
