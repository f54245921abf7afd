/** Tests of declared, documented and emitted metrics. */
@NullMarked
package dev.belay.server.metrics;

import org.jspecify.annotations.NullMarked;
