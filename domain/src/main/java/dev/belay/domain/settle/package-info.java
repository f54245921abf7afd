/** Decides what follows the end of an attempt: a final state, or a retry and when. */
@NullMarked
package dev.belay.domain.settle;

import org.jspecify.annotations.NullMarked;
