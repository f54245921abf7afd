/** Tests of bulk operations. */
@NullMarked
package dev.belay.store.bulk;

import org.jspecify.annotations.NullMarked;
