/** The one door through which a task becomes eligible. */
@NullMarked
package dev.belay.domain.admission;

import org.jspecify.annotations.NullMarked;
