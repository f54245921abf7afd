@NullMarked
package dev.belay.store.read;

import org.jspecify.annotations.NullMarked;
