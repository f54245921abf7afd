@NullMarked
package dev.belay.store.retention;

import org.jspecify.annotations.NullMarked;
