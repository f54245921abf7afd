/**
 * Common parts of the {@code belay} commands: options for help, output and the server.
 *
 * <p>Invariant: a command object lives for one invocation, on one thread.
 */
@NullMarked
package dev.belay.cli.command;

import org.jspecify.annotations.NullMarked;
