/** Admission of PENDING tasks on PostgreSQL. */
@NullMarked
package dev.belay.store.admit;

import org.jspecify.annotations.NullMarked;
