/** Tests of hints between replicas. */
@NullMarked
package dev.belay.store.hint;

import org.jspecify.annotations.NullMarked;
