/** Commands about backfills: runs of a workflow for the instants of a range. */
@NullMarked
package dev.belay.cli.backfill;

import org.jspecify.annotations.NullMarked;
