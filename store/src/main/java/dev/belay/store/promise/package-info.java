/** The promises of runs: timeouts, deadlines, expected runs, and how late triggers fired. */
@NullMarked
package dev.belay.store.promise;

import org.jspecify.annotations.NullMarked;
