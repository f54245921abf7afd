/** Tests of leadership: who leads, and that who led no longer writes. */
@NullMarked
package dev.belay.store.leader;

import org.jspecify.annotations.NullMarked;
