/** The statements and reads of backfills. */
@NullMarked
package dev.belay.store.backfill;

import org.jspecify.annotations.NullMarked;
