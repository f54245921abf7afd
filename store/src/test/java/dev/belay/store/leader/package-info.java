/** Tests of leadership: one replica leads, and a deposed leader no longer writes. */
@NullMarked
package dev.belay.store.leader;

import org.jspecify.annotations.NullMarked;
