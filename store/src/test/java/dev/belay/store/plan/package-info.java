/** Tests of the statements of planning. */
@NullMarked
package dev.belay.store.plan;

import org.jspecify.annotations.NullMarked;
