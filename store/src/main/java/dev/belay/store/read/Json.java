package dev.belay.store.read;

/** JSON text as PostgreSQL keeps it, passed on without being parsed. */
public record Json(String text) {}
