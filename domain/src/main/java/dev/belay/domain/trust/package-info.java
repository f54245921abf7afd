/**
 * Which workers are set aside: a worker that fails its tasks at once is always free, so it would
 * get most tasks and fail them all. Pure; one caller at a time for each {@link
 * dev.belay.domain.trust.FailureStreak}.
 */
@NullMarked
package dev.belay.domain.trust;

import org.jspecify.annotations.NullMarked;
