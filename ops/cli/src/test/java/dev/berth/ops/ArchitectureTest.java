package dev.berth.ops;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The arrows between modules and packages: architecture.md, "Modules". */
@AnalyzeClasses(packages = "dev.berth", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] PURE = {
    "dev.berth.streams.kernel..",
    "dev.berth.streams.claims..",
    "dev.berth.streams.lanes..",
    "dev.berth.streams.cluster..",
    "dev.berth.streams.policy..",
    "dev.berth.streams.work..",
    "dev.berth.streams.command.."
  };

  @ArchTest
  static final ArchRule modulesPointOneWay =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("schemas")
          .definedBy("dev.berth.schemas..", "dev.berth.records..")
          .layer("telemetry")
          .definedBy("dev.berth.telemetry..")
          .layer("proto")
          .definedBy("dev.berth.proto..")
          .layer("producers")
          .definedBy("dev.berth.producers..")
          .layer("streams")
          .definedBy("dev.berth.streams..")
          .layer("workers")
          .definedBy("dev.berth.workers..")
          .layer("broker")
          .definedBy("dev.berth.embedded.broker..")
          .layer("registry")
          .definedBy("dev.berth.embedded.registry..")
          .layer("driver")
          .definedBy("dev.berth.driver..")
          .layer("ops")
          .definedBy("dev.berth.ops..")
          .whereLayer("schemas")
          .mayNotAccessAnyLayer()
          .whereLayer("telemetry")
          .mayNotAccessAnyLayer()
          .whereLayer("proto")
          .mayNotAccessAnyLayer()
          .whereLayer("producers")
          .mayOnlyAccessLayers("schemas", "proto")
          .whereLayer("streams")
          .mayOnlyAccessLayers("schemas", "proto", "telemetry")
          .whereLayer("workers")
          .mayOnlyAccessLayers("schemas", "proto", "telemetry")
          .whereLayer("broker")
          .mayOnlyAccessLayers("schemas", "proto")
          .whereLayer("registry")
          .mayOnlyAccessLayers("schemas", "proto")
          .whereLayer("driver")
          .mayOnlyAccessLayers("schemas", "proto");

  @ArchTest
  static final ArchRule decisionsKnowNoInfrastructure =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "org.apache.avro.io..",
              "io.grpc..",
              "io.confluent..",
              "dev.berth.schemas..",
              "dev.berth.proto..",
              "java.io..",
              "java.net..",
              "java.nio.file..")
          .because("decisions are functions of what they are given");

  @ArchTest
  static final ArchRule decisionsHaveNoClockAndNoChance =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              Clock.class,
              InstantSource.class,
              Random.class,
              ThreadLocalRandom.class,
              RandomGenerator.class,
              Thread.class)
          .orShould()
          .callMethodWhere(
              calls(System.class, "currentTimeMillis|nanoTime")
                  .or(calls(Instant.class, "now"))
                  .or(calls(Math.class, "random"))
                  .or(calls(UUID.class, "randomUUID")))
          .because("a replay of the history must decide what was decided");

  @ArchTest
  static final ArchRule decisionsKnowNothingOfTheirEdge =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.berth.streams.topology..",
              "dev.berth.streams.app..",
              "dev.berth.streams.codec..");

  @ArchTest
  static final ArchRule packagesOfTheCommandFormNoCycle =
      slices().matching("dev.berth.ops.(*)..").should().beFreeOfCycles();

  private static DescribedPredicate<JavaCall<?>> calls(Class<?> type, String method) {
    return target(
            owner(
                DescribedPredicate.describe(
                    type.getSimpleName(), owner -> owner.isEquivalentTo(type))))
        .and(target(nameMatching(method)));
  }
}
