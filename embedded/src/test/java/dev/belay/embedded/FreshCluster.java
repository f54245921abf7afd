package dev.belay.embedded;

import dev.belay.embedded.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A data folder after its first start; copied, because initdb takes most of a test's time. */
final class FreshCluster {
  private static @Nullable Path first;

  private FreshCluster() {}

  static synchronized Path copiedTo(Path data) throws Exception {
    if (first == null) {
      Path folder = Files.createTempDirectory("belay-fresh-cluster-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      TestPostgres.start(EmbeddedSettings.persistent(folder, TestPostgres.binariesFolder()))
          .close();
      first = folder;
    }
    Trees.copy(first, data);
    return data;
  }

  private static void delete(Path folder) {
    try {
      Trees.delete(folder);
    } catch (java.io.IOException left) {
      System.err.println("left behind: " + folder + " " + left);
    }
  }
}
