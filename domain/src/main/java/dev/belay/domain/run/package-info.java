/** The states of a run and the table of its legal transitions. */
@NullMarked
package dev.belay.domain.run;

import org.jspecify.annotations.NullMarked;
