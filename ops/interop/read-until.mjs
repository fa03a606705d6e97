// Reads a topic from its beginning with clients that are not Berth's, and prints each record as a line of JSON, until a key
// has come. Exits 0 then, and 1 when it has not come in time.
//
//   node read-until.mjs BOOTSTRAP REGISTRY-URL TOPIC KEY
import { Kafka, logLevel } from "kafkajs";
import { AvroDeserializer, SchemaRegistryClient, SerdeType } from "@confluentinc/schemaregistry";

const PATIENCE_MS = 60_000;

const [bootstrap, registry, topic, wanted] = process.argv.slice(2);
const values = new AvroDeserializer(new SchemaRegistryClient({ baseURLs: [registry] }), SerdeType.VALUE, {});
const kafka = new Kafka({ clientId: "interop", brokers: [bootstrap], logLevel: logLevel.ERROR });
const consumer = kafka.consumer({ groupId: `interop-${process.pid}` });

const timer = setTimeout(() => {
  console.error(`no record with key ${wanted} on ${topic} within ${PATIENCE_MS} ms`);
  process.exit(1);
}, PATIENCE_MS);

await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message }) => {
    const key = message.key.toString("utf8");
    const value = message.value === null ? null : await values.deserialize(topic, message.value);
    const line = JSON.stringify({ key, value }, (_, v) => (typeof v === "bigint" ? Number(v) : v));
    console.log(line);
    if (key === wanted) {
      clearTimeout(timer);
      process.exit(0);
    }
  },
});
