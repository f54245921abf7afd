@NullMarked
package dev.belay.store.system;

import org.jspecify.annotations.NullMarked;
