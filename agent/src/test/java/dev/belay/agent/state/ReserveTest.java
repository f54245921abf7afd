package dev.belay.agent.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.agent.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ReserveTest {

  private static final ReserveSettings SETTINGS = new ReserveSettings(1 << 20, 2 << 20, 0);

  @TempDir Path temp;

  private SmallDisk disk;
  private AgentFolder folder;

  @BeforeEach
  void open() throws IOException {
    disk = new SmallDisk(temp.resolve("agent"), 8);
    var opening = AgentFolder.open(disk.path(), UUID::randomUUID, new SecureRandom());
    folder = ((AgentFolder.Opened) opening).folder();
  }

  @AfterEach
  void close() throws IOException {
    folder.close();
    disk.close();
  }

  @Test
  void disk_without_inodes_is_trouble_until_there_are_some_again() throws IOException {
    var reserve = Reserve.open(folder, SETTINGS);
    assertThat(reserve.trouble()).isEmpty();
    disk.fillInodes();
    reserve.note(mkdirFailure());
    assertThat(reserve.trouble()).hasValueSatisfying(what -> assertThat(what).contains("inodes"));
    assertThat(reserve.look()).as("it stays").isPresent();
    disk.freeInodes();
    assertThat(reserve.look()).isEmpty();
  }

  @Test
  void failure_that_is_not_of_the_disk_says_nothing_about_it() throws IOException {
    var reserve = Reserve.open(folder, SETTINGS);
    var kept = folder.path().resolve("reserve");
    Files.setLastModifiedTime(kept, FileTime.fromMillis(1_000));
    reserve.note(
        new IOException("Cannot run program \"sh\": error=11, Resource temporarily unavailable"));
    reserve.note(new OutOfMemoryError("unable to create native thread"));
    assertThat(reserve.trouble()).isEmpty();
    assertThat(Files.getLastModifiedTime(kept))
        .as("not written again")
        .hasToString(FileTime.fromMillis(1_000).toString());
  }

  @Test
  void restarted_agent_has_the_space_that_it_kept_back() throws IOException {
    Reserve.open(folder, SETTINGS).close();
    // Too little to hold the same reserve a second time.
    long filler = folder.path().toFile().getUsableSpace() - (5 << 19);
    Files.write(folder.path().resolve("filler"), new byte[(int) filler]);
    assertThat(Reserve.open(folder, SETTINGS).trouble()).isEmpty();
  }

  private IOException mkdirFailure() {
    try {
      Files.createDirectory(folder.work().resolve("task"));
    } catch (IOException full) {
      return full;
    }
    throw new AssertionError("there are inodes");
  }
}
