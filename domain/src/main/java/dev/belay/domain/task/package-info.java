/** The states of a task and the one table of its legal transitions. */
@NullMarked
package dev.belay.domain.task;

import org.jspecify.annotations.NullMarked;
