package dev.berth.schemas.registry;

import io.confluent.kafka.schemaregistry.ParsedSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.avro.AvroSchemaProvider;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClient;
import io.confluent.kafka.schemaregistry.client.SchemaRegistryClientFactory;
import io.confluent.kafka.schemaregistry.client.rest.exceptions.RestClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema registry as Berth uses it, over Confluent's client.
 *
 * <p>Every method tells three answers apart: a result; {@link SchemaRefusedException} when the
 * registry says no; {@link RegistryUnavailableException} when there is no answer to go by. Safe for
 * use by many threads.
 */
public final class Registry implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Registry.class);
  private static final String COMPATIBILITY = "BACKWARD";
  private static final int CACHED_SCHEMAS = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final SchemaRegistryClient client;
  private final String address;
  private final boolean autoRegister;

  /** Schemas that the registry has told, by id: what an id stands for never changes. */
  private final Map<Integer, Schema> known = new ConcurrentHashMap<>();

  private Registry(SchemaRegistryClient client, String address, boolean autoRegister) {
    this.client = client;
    this.address = address;
    this.autoRegister = autoRegister;
  }

  /**
   * Builds a client from settings; nothing is sent yet.
   *
   * @throws IllegalArgumentException see {@link RegistryConfig#parse}
   */
  public static Registry connect(Map<String, ?> settings) {
    return connect(RegistryConfig.parse(settings));
  }

  /** Builds a client; nothing is sent yet. */
  public static Registry connect(RegistryConfig config) {
    SchemaRegistryClient client =
        SchemaRegistryClientFactory.newClient(
            config.urls(),
            CACHED_SCHEMAS,
            List.of(new AvroSchemaProvider()),
            config.client(),
            Map.of());
    return new Registry(client, config.displayUrls(), config.autoRegister());
  }

  /** Uses a client that exists; writing registers what is missing. */
  public static Registry over(SchemaRegistryClient client) {
    return new Registry(client, "registry", true);
  }

  /** The subject under which the values of a topic are registered. */
  public static String valueSubject(String topic) {
    return topic + "-value";
  }

  /** Confluent's client itself, for what this class does not offer. */
  public SchemaRegistryClient client() {
    return client;
  }

  /**
   * Waits until the registry answers.
   *
   * @param patience how long to wait at most; zero asks once
   * @throws RegistryUnavailableException when it does not, or refuses our credentials, or the
   *     thread is interrupted
   */
  public void awaitAvailable(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        client.getAllSubjects();
        return;
      } catch (RestClientException e) {
        if (RegistryAnswers.isRefusedLogin(e)) {
          throw unavailable("list subjects: it refused our credentials", e);
        }
        giveUpAfter(deadline, patience, e);
      } catch (IOException e) {
        giveUpAfter(deadline, patience, e);
      }
    }
  }

  /**
   * Registers every schema and sets the compatibility of its subject to BACKWARD, so that a new
   * reader always reads what old writers wrote. Doing it again changes nothing.
   *
   * @param schemas subject to schema, registered in the map's order
   * @return subject to schema id
   * @throws SchemaRefusedException naming the subject, when its schema is invalid or incompatible
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  public Map<String, Integer> provision(Map<String, Schema> schemas) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    Set<String> present = subjects();
    schemas.forEach(
        (subject, schema) ->
            ids.put(subject, provision(subject, schema, present.contains(subject))));
    log.info("schemas provisioned subjects={} registry={}", ids.size(), address);
    return ids;
  }

  /**
   * Sees to it that every schema can be written: provisions them where this client may register,
   * and looks them up where it may not ({@link RegistryConfig#autoRegister}).
   *
   * @param schemas subject to schema
   * @throws SchemaRefusedException naming the subject, when its schema is invalid or incompatible,
   *     or is missing and may not be registered
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  public void ensure(Map<String, Schema> schemas) {
    if (autoRegister) {
      provision(schemas);
    } else {
      schemas.forEach(this::lookUp);
    }
  }

  /**
   * The id by which this schema is written to a subject. Registers it when it is missing and that
   * is allowed ({@link RegistryConfig#autoRegister}).
   *
   * @throws SchemaRefusedException when it is missing and may not, or cannot, be registered
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  public int idFor(String subject, Schema schema) {
    return autoRegister ? register(subject, schema) : lookUp(subject, schema);
  }

  /**
   * Learns every version of these subjects, so that what was written with them can be read while
   * the registry is away. A subject that does not exist yet has none.
   *
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  public void learn(Collection<String> subjects) {
    Set<String> present = subjects();
    subjects.stream().filter(present::contains).forEach(this::learn);
  }

  /** Whether this client can tell the schema with this id without asking the registry. */
  public boolean knows(int id) {
    return known.containsKey(id);
  }

  /**
   * The schema with this id.
   *
   * @return empty when the registry says that there is none, or none that is Avro
   * @throws RegistryUnavailableException when the registry gives no answer to go by
   */
  public Optional<Schema> schemaById(int id) {
    Schema before = known.get(id);
    if (before != null) {
      return Optional.of(before);
    }
    Optional<Schema> found = ask(id);
    found.ifPresent(schema -> known.put(id, schema));
    return found;
  }

  private Optional<Schema> ask(int id) {
    try {
      ParsedSchema schema = client.getSchemaById(id);
      return schema instanceof AvroSchema avro ? Optional.of(avro.rawSchema()) : Optional.empty();
    } catch (RestClientException e) {
      if (RegistryAnswers.isUnknown(e)) {
        return Optional.empty();
      }
      throw unavailable("get schema " + id, e);
    } catch (IOException e) {
      if (RegistryAnswers.isNotAvro(e)) {
        return Optional.empty();
      }
      throw unavailable("get schema " + id, e);
    }
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      log.warn("closing the registry client failed registry={}", address, e);
    }
  }

  @Override
  public String toString() {
    return "Registry[" + address + "]";
  }

  private void learn(String subject) {
    try {
      for (int version : client.getAllVersions(subject)) {
        schemaById(client.getSchemaMetadata(subject, version).getId());
      }
    } catch (RestClientException e) {
      // Deleted meanwhile: then there is nothing to learn.
      if (!RegistryAnswers.isUnknown(e)) {
        throw unavailable("list the versions of " + subject, e);
      }
    } catch (IOException e) {
      throw unavailable("list the versions of " + subject, e);
    }
  }

  private int provision(String subject, Schema schema, boolean present) {
    // Before registering, where the subject exists: the rule must hold for this very version. A
    // registry other than Confluent's may know no configuration of a subject before its first one.
    if (present) {
      setCompatibility(subject);
      return register(subject, schema);
    }
    int id = register(subject, schema);
    setCompatibility(subject);
    return id;
  }

  private Set<String> subjects() {
    try {
      return Set.copyOf(client.getAllSubjects());
    } catch (RestClientException | IOException e) {
      throw unavailable("list subjects", e);
    }
  }

  private void setCompatibility(String subject) {
    try {
      client.updateCompatibility(subject, COMPATIBILITY);
    } catch (RestClientException | IOException e) {
      throw unavailable("set the compatibility of " + subject, e);
    }
  }

  private int register(String subject, Schema schema) {
    AvroSchema published = new AvroSchema(PublishedSchema.of(schema));
    try {
      return client.register(subject, published, true);
    } catch (RestClientException e) {
      if (e.getStatus() == 409 || e.getStatus() == 422) {
        throw new SchemaRefusedException(
            "subject %s: the registry refuses schema %s (%s); change the schema so that readers of it can read what is already written"
                .formatted(subject, schema.getFullName(), e.getMessage()),
            e);
      }
      throw unavailable("register " + subject, e);
    } catch (IOException e) {
      throw unavailable("register " + subject, e);
    }
  }

  private int lookUp(String subject, Schema schema) {
    AvroSchema published = new AvroSchema(PublishedSchema.of(schema));
    try {
      return client.getId(subject, published, true);
    } catch (RestClientException e) {
      if (RegistryAnswers.isUnknown(e)) {
        throw new SchemaRefusedException(
            "subject %s: schema %s is not registered; register it, or set %s=true"
                .formatted(subject, schema.getFullName(), RegistryConfig.AUTO_REGISTER),
            e);
      }
      throw unavailable("look up " + subject, e);
    } catch (IOException e) {
      throw unavailable("look up " + subject, e);
    }
  }

  private void giveUpAfter(long deadline, Duration patience, Exception last) {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw unavailable("answer within " + patience, last);
    }
    try {
      TimeUnit.NANOSECONDS.sleep(Math.min(left, PAUSE.toNanos()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("answer before this thread was interrupted", e);
    }
  }

  private RegistryUnavailableException unavailable(String asked, Exception cause) {
    return new RegistryUnavailableException(
        "schema registry at %s did not %s: %s".formatted(address, asked, cause.getMessage()),
        cause);
  }
}
