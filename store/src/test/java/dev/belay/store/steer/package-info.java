@NullMarked
package dev.belay.store.steer;

import org.jspecify.annotations.NullMarked;
