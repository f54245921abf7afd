/** The engine's transactions on PostgreSQL. */
@NullMarked
package dev.belay.store.transaction;

import org.jspecify.annotations.NullMarked;
