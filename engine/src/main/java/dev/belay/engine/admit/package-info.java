/** Has the tasks admitted that waited for a time. For the leader. */
@NullMarked
package dev.belay.engine.admit;

import org.jspecify.annotations.NullMarked;
