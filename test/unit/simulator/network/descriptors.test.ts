import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/simulator/data/random.js";
import {
  chunkSizes,
  descriptorText,
  fileSecrets,
  readDescriptor,
} from "../../../../src/simulator/network/descriptors.js";
import { readTranscript } from "../../../contract/transcript.js";

interface Recorded {
  name: string;
  size: number;
  text: string;
}

/** Every descriptor that the recordings have. */
const recorded: Recorded[] = ["10", "11", "21", "23", "26", "29"].flatMap((name) =>
  readTranscript(name).lines.flatMap(({ event }) => {
    if (event?.type !== "rcvFileDescrReady") return [];
    const { rcvFileTransfer, rcvFileDescr } = event as unknown as {
      rcvFileTransfer: { fileInvitation: { fileName: string; fileSize: number } };
      rcvFileDescr: { fileDescrText: string };
    };
    const { fileName, fileSize } = rcvFileTransfer.fileInvitation;
    return [{ name: fileName, size: fileSize, text: rcvFileDescr.fileDescrText }];
  }),
);

const SERVER = "xftp://Q7y8X1FmyRs5_elz_zy2iKGa5QkOXFfVlXi1SAk16_w=@127.0.0.1:7002";

describe("descriptors", () => {
  const sizes = new Map(recorded.map((one) => [one.size, one]));

  it.each([...sizes.values()])(
    "of $size bytes are cut into chunks and read as recorded",
    ({ name, size, text }) => {
      const chunks = chunkSizes(name, size);
      const read = readDescriptor(text);
      expect(read?.server).toBe(SERVER);
      expect(read?.chunks).toEqual(chunks);
      const random = new Random(1);
      const secrets = fileSecrets(random, SERVER, chunks, Buffer.alloc(1));
      const made = descriptorText(random, secrets, "recipient", `${random.base64url(16)}==`);
      const shape = (yaml: string) => yaml.replace(/[\w-]{22,}=*/g, (key) => `KEY${key.length}`);
      expect(shape(made)).toBe(shape(text));
    },
  );

  it("name the replica that a receiver asks for", () => {
    const random = new Random(2);
    const chunks = chunkSizes("a.bin", 30 << 20);
    const secrets = fileSecrets(random, SERVER, chunks, Buffer.alloc(1));
    for (const replica of ["one==", "other=="]) {
      expect(readDescriptor(descriptorText(random, secrets, "recipient", replica))).toEqual({
        server: SERVER,
        replica,
        chunks,
      });
    }
  });

  it("are no descriptors without a server or a chunk", () => {
    expect(readDescriptor("")).toBeUndefined();
    expect(readDescriptor("replicas:\n- chunks:\n  server: xftp://a=@b\n")).toBeUndefined();
  });
});
