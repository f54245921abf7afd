/**
 * Commands that show what a server knows; they change nothing.
 *
 * <p>Invariant: with {@code -o json} the objects of the API are printed as they came. Touched by
 * the one thread that runs the command.
 */
@NullMarked
package dev.belay.cli.read;

import org.jspecify.annotations.NullMarked;
