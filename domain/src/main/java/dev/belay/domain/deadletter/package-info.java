/**
 * Dead letters: tasks that Belay gave up, with why. A dead letter is written in the transaction
 * that ends its task, so no task is given up without one.
 */
@NullMarked
package dev.belay.domain.deadletter;

import org.jspecify.annotations.NullMarked;
