@NullMarked
package dev.belay.store.trigger;

import org.jspecify.annotations.NullMarked;
