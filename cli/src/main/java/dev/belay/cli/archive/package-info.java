/**
 * Writes finished tasks and runs to a file, and removes from the server what the file has.
 *
 * <p>Invariant: nothing is removed before the whole file is on the disk under its own name. One
 * thread runs the command.
 */
@NullMarked
package dev.belay.cli.archive;

import org.jspecify.annotations.NullMarked;
