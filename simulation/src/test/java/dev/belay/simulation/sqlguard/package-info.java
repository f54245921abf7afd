/** Removes guards from PostgreSQL's statements, and shows that race tests fail without them. */
@NullMarked
package dev.belay.simulation.sqlguard;

import org.jspecify.annotations.NullMarked;
