/** Bulk operations: {@code belay bulk}. */
@NullMarked
package dev.belay.cli.bulk;

import org.jspecify.annotations.NullMarked;
