package dev.belay.buildtools.violations.domain;

import com.google.common.collect.ImmutableList;

/** The domain knows the JDK only. */
public record DomainUsesLibrary(ImmutableList<String> names) {}
