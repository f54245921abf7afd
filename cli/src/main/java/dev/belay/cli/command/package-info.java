/**
 * What the commands of {@code belay} share: options for help, output and the server to talk to.
 *
 * <p>Invariant: a command object lives for one invocation and is touched by one thread.
 */
@NullMarked
package dev.belay.cli.command;

import org.jspecify.annotations.NullMarked;
