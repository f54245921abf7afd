/** Tests of the statements of backfills. */
@NullMarked
package dev.belay.store.backfill;

import org.jspecify.annotations.NullMarked;
