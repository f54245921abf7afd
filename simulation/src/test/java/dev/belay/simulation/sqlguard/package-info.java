/** Takes guards out of the text of PostgreSQL's statements, and shows that race tests miss them. */
@NullMarked
package dev.belay.simulation.sqlguard;

import org.jspecify.annotations.NullMarked;
