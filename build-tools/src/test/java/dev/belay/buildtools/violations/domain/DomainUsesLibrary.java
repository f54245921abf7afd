package dev.belay.buildtools.violations.domain;

import com.google.common.collect.ImmutableList;

/** Depends on a library, while the domain may know only the JDK. */
public record DomainUsesLibrary(ImmutableList<String> names) {}
