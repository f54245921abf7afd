/** Throws requests in blocks, judges the answers, compares the database, names the culprit. */
@NullMarked
package dev.belay.fuzz.run;

import org.jspecify.annotations.NullMarked;
