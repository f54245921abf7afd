/** Bulk operations on PostgreSQL. */
@NullMarked
package dev.belay.store.bulk;

import org.jspecify.annotations.NullMarked;
