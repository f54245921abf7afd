/** What people ask of work that was accepted, on PostgreSQL. */
@NullMarked
package dev.belay.store.steer;

import org.jspecify.annotations.NullMarked;
