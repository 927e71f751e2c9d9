import { crc32, deflateRawSync } from "node:zlib";

/** A zip archive of a few small files, in memory. */
export function zip(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content);
    const facts = factsOf(content, packed.length, path.length);
    const local = Buffer.concat([Buffer.from("504b0304", "hex"), facts, path, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    // The directory's rows hold the same facts, with their own version before and their place after.
    directory.push(Buffer.concat([Buffer.from("504b01021400", "hex"), facts, place, path]));
    bodies.push(local);
    offset += local.length;
  }
  const rows = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("504b0506", 0, "hex");
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(rows.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, rows, end]);
}

/** Version 2.0, names in UTF-8, deflated, no time. */
function factsOf(content: Uint8Array, packed: number, nameLength: number): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(0x0800, 2);
  facts.writeUInt16LE(8, 4);
  facts.writeUInt16LE(0x21, 8);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(packed, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(nameLength, 22);
  return facts;
}
