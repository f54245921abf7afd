/** Judges the end of an attempt: final state, or another try and when. */
@NullMarked
package dev.belay.domain.settle;

import org.jspecify.annotations.NullMarked;
