/** The only place that makes a task eligible. */
@NullMarked
package dev.belay.domain.admission;

import org.jspecify.annotations.NullMarked;
