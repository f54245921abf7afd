/** Tests of instants, and of what becomes of them. */
@NullMarked
package dev.belay.domain.schedule;

import org.jspecify.annotations.NullMarked;
