/**
 * When a task or run is given up by somebody who looks at it from outside: one pure rule for each
 * way of hanging. Invariant: a rule ends something only on a positive sign that nobody will update
 * it again, and every state that is not terminal is looked after by a rule or timer.
 */
@NullMarked
package dev.belay.domain.reap;

import org.jspecify.annotations.NullMarked;
