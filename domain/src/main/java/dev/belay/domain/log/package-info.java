/** What both ends say about the logs of tasks. */
@NullMarked
package dev.belay.domain.log;

import org.jspecify.annotations.NullMarked;
