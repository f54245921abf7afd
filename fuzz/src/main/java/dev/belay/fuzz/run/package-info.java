/** Sends requests in blocks, checks the answers, compares the database, finds the culprit. */
@NullMarked
package dev.belay.fuzz.run;

import org.jspecify.annotations.NullMarked;
