package dev.belay.domain.routing;

import java.util.Locale;

/** Why a worker does not get a task. Ordered: the first gate that excludes it is its reason. */
public enum WorkerGate {
  OTHER_POOL,
  /** Its pool has no slot left, whatever its workers have. */
  POOL_SLOTS,
  CAPABILITY,
  LABEL,
  /** Even an idle worker like it has too few slots, too little memory or cpu. */
  TOO_SMALL,
  DISCONNECTED,
  SILENT,
  DRAINING,
  TROUBLED,
  SET_ASIDE,
  /** It lately refused a task for lack of resources. */
  REFUSED,
  SLOTS,
  MEMORY,
  CPU,
  /** Its slots are kept for a wide task. */
  RESERVED,
  /** Its cpu or gpu is busy, and another worker's is not. */
  OVERLOADED,
  /** The task just failed there, and another worker has room. */
  FAILED_HERE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
