@NullMarked
package dev.belay.store.gate;

import org.jspecify.annotations.NullMarked;
