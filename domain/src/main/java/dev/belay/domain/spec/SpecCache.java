package dev.belay.domain.spec;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * LRU cache of objects parsed from users' text. Bounded by the length of that text, because the
 * objects grow with it and a single one may be huge. Not thread-safe.
 */
public final class SpecCache<K, V> {

  private final int countMax;
  private final long charsMax;
  private final Map<K, Kept<V>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long chars;

  private record Kept<V>(V value, long chars) {}

  public SpecCache(int countMax, long charsMax) {
    this.countMax = countMax;
    this.charsMax = charsMax;
  }

  public @Nullable V get(K key) {
    Kept<V> found = kept.get(key);
    return found == null ? null : found.value();
  }

  /** Evicts the least recently used entries. Does not keep a value that alone exceeds the bound. */
  public void put(K key, V value, long length) {
    forget(key);
    if (length > charsMax) {
      return;
    }
    kept.put(key, new Kept<>(value, length));
    chars += length;
    while (kept.size() > countMax || chars > charsMax) {
      forget(kept.keySet().iterator().next());
    }
  }

  private void forget(K key) {
    Kept<V> gone = kept.remove(key);
    if (gone != null) {
      chars -= gone.chars();
    }
  }

  public int size() {
    return kept.size();
  }
}
