package dev.berth.driver;

import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Script;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * One driver with a client: volumes s1 to s3 for one node, m1 for many, nodes i-1 and i-2 with two
 * slots each.
 */
final class DriverFixture implements AutoCloseable {

  static final String PLUGIN = "ebs.example.com";

  final Provider provider;
  final Script script;
  final CallLog log = CallLog.inMemory(InstantSource.system());
  final SimulatedDriver driver;
  final DriverClient client;

  private DriverFixture(DriverSpec spec, ProviderSpec behaviour, Script script, Path directory)
      throws IOException {
    this.script = script;
    provider = Provider.inMemory(behaviour);
    provider.createVolume("s1", Access.SINGLE_NODE);
    provider.createVolume("s2", Access.SINGLE_NODE);
    provider.createVolume("s3", Access.SINGLE_NODE);
    provider.createVolume("m1", Access.MULTI_NODE);
    provider.addNode("i-1", 2);
    provider.addNode("i-2", 2);
    driver = SimulatedDriver.start(spec, provider, script, log, directory.resolve("csi.sock"));
    client = new DriverClient(driver);
  }

  static DriverFixture start(DriverSpec spec, Path directory) throws IOException {
    return start(spec, ProviderSpec.strict(), directory);
  }

  static DriverFixture start(DriverSpec spec, ProviderSpec behaviour, Path directory)
      throws IOException {
    return new DriverFixture(spec, behaviour, Script.empty(), directory);
  }

  static DriverFixture start(DriverSpec spec, Script script, Path directory) throws IOException {
    return new DriverFixture(spec, ProviderSpec.strict(), script, directory);
  }

  static DriverSpec monolith() {
    return DriverSpec.monolith(PLUGIN, "i-1");
  }

  @Override
  public void close() {
    client.close();
    driver.close();
    provider.close();
    log.close();
  }
}
