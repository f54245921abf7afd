@NullMarked
package dev.belay.domain.trigger;

import org.jspecify.annotations.NullMarked;
