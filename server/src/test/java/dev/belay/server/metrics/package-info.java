/** Tests of what is declared, documented and emitted. */
@NullMarked
package dev.belay.server.metrics;

import org.jspecify.annotations.NullMarked;
