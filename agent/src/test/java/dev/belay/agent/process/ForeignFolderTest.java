package dev.belay.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.agent.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ForeignFolderTest {

  private static final int MANY = 1_000_000;

  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void create() throws IOException {
    folder = Files.createDirectory(temp.resolve("task"));
  }

  @Test
  void folder_of_any_depth_goes() throws Exception {
    // Longer than any path may be: built from parts that are moved into each other.
    Path part = null;
    for (String name : new String[] {"a", "b", "c"}) {
      Path top = folder.resolve(name);
      Path deepest = Files.createDirectories(chain(top, 700));
      Files.writeString(deepest.resolve("file"), "x");
      if (part != null) {
        Files.move(part, deepest.resolve("more"));
      }
      part = top;
    }
    Files.createDirectories(chain(folder.resolve("other"), 500));
    Files.writeString(folder.resolve("file"), "x");
    ForeignFolder.remove(folder, MANY);
    assertThat(folder).doesNotExist();
  }

  @Test
  void what_can_go_goes_although_something_stays() throws Exception {
    for (int i = 0; i < 50; i++) {
      Files.createDirectories(folder.resolve("before-and-after-" + i).resolve("inner"));
    }
    Path stuck = Files.createDirectories(folder.resolve("some/stuck"));
    Files.createDirectories(folder.resolve("some/other/inner"));
    try (var _ = new SmallDisk(stuck, 1)) {
      assertThatThrownBy(() -> ForeignFolder.remove(folder, MANY)).isInstanceOf(IOException.class);
      try (var left = Files.walk(folder)) {
        assertThat(left).containsExactlyInAnyOrder(folder, folder.resolve("some"), stuck);
      }
    }
    ForeignFolder.remove(folder, MANY);
    assertThat(folder).doesNotExist();
  }

  @Test
  void not_more_than_so_many_files_are_removed() throws Exception {
    for (int i = 0; i < 10; i++) {
      Files.writeString(Files.createDirectories(folder.resolve("d" + i)).resolve("f"), "x");
    }
    assertThatThrownBy(() -> ForeignFolder.remove(folder, 19)).hasMessageContaining("more than 19");
    assertThat(folder).exists();
    ForeignFolder.remove(folder, 20);
    assertThat(folder).doesNotExist();
  }

  @Test
  void link_is_removed_and_not_followed() throws Exception {
    Path outside = Files.createDirectory(temp.resolve("outside"));
    Files.writeString(outside.resolve("kept"), "kept");
    Files.createSymbolicLink(folder.resolve("link"), outside);
    ForeignFolder.remove(folder, MANY);
    assertThat(folder).doesNotExist();
    assertThat(outside.resolve("kept")).exists();
  }

  private static Path chain(Path top, int levels) {
    return top.resolve(String.join("/", Collections.nCopies(levels, "d")));
  }
}
