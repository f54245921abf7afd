@NullMarked
package dev.belay.engine.trigger;

import org.jspecify.annotations.NullMarked;
