package dev.belay.store.system;

/** Who owns a declaration. */
public enum DeclaredIn {
  SYSTEM_FILE,
  API
}
