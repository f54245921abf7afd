@NullMarked
package dev.belay.store.promise;

import org.jspecify.annotations.NullMarked;
