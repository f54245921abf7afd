/** Decides what a request of a person does to a task, and to the tasks around it in its run. */
@NullMarked
package dev.belay.domain.steer;

import org.jspecify.annotations.NullMarked;
