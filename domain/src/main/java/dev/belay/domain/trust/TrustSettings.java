package dev.belay.domain.trust;

import java.time.Duration;

/**
 * When a worker is set aside.
 *
 * @param failures after so many fast failures in a row; 0 means never
 * @param fast an attempt that fails within this time fails fast
 * @param window older failures do not count
 */
public record TrustSettings(int failures, Duration fast, Duration window) {

  public static final TrustSettings DEFAULT =
      new TrustSettings(10, Duration.ofSeconds(5), Duration.ofMinutes(1));

  public TrustSettings {
    if (failures < 0 || fast.isNegative() || !window.isPositive()) {
      throw new IllegalArgumentException("failures and fast must not be negative");
    }
  }

  public boolean isOn() {
    return failures > 0;
  }

  /** A worker with so many fast failures in a row is a suspect. */
  public int suspicious() {
    return Math.max(1, failures / 2);
  }
}
