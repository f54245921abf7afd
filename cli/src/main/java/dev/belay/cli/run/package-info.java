/**
 * {@code belay run FILE}: check it, run it, show it live, say how it ended.
 *
 * <p>Invariant: a server that this command started is gone, with its data, when the command is.
 * Everything is drawn by the thread of the command; one more thread waits for the end of the run.
 */
@NullMarked
package dev.belay.cli.run;

import org.jspecify.annotations.NullMarked;
