package dev.belay.buildtools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Simple names that readers would take for JDK types. */
final class JdkNames {
  /** The public top-level types of java.base and java.sql. */
  static final Set<String> ALL =
      Stream.of("java.base", "java.sql").flatMap(JdkNames::of).collect(Collectors.toSet());

  private JdkNames() {}

  private static Stream<String> of(String module) {
    return ModuleFinder.ofSystem().find(module).orElseThrow().descriptor().exports().stream()
        .filter(exported -> !exported.isQualified())
        .flatMap(exported -> inPackage(module, exported));
  }

  private static Stream<String> inPackage(String module, Exports exported) {
    Path folder =
        FileSystems.getFileSystem(URI.create("jrt:/"))
            .getPath("modules", module, exported.source().replace('.', '/'));
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("\\w+\\.class"))
          .map(name -> name.replace(".class", ""))
          .filter(name -> isPublic(exported.source() + "." + name))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPublic(String type) {
    try {
      ClassLoader jdk = ClassLoader.getPlatformClassLoader();
      return Modifier.isPublic(Class.forName(type, false, jdk).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
