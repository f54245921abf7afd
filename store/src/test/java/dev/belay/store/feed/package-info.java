/** Tests of the change feed. */
@NullMarked
package dev.belay.store.feed;

import org.jspecify.annotations.NullMarked;
