/** Commands about dead letters: list, group, show, retry, purge. */
@NullMarked
package dev.belay.cli.deadletter;

import org.jspecify.annotations.NullMarked;
