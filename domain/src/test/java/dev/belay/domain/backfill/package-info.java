/** Tests of backfills. */
@NullMarked
package dev.belay.domain.backfill;

import org.jspecify.annotations.NullMarked;
