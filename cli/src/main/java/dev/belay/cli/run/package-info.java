/**
 * {@code belay run FILE}: check it, run it, show it live, report its end.
 *
 * <p>Invariant: a server that this command started ends with the command, and its data is deleted.
 * The command's thread draws everything; another thread waits for the end of the run.
 */
@NullMarked
package dev.belay.cli.run;

import org.jspecify.annotations.NullMarked;
