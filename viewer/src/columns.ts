// Named columns of numbers out of base64 text: the other side of src/carom/io/page_columns.cpp, which
// describes the format. Throws Damaged where the text is not what was written.

export class Damaged extends Error {}

export type Numbers = Float64Array | Float32Array | Int32Array;
const kTypes = { f64: Float64Array, f32: Float32Array, i32: Int32Array };

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text.trim());
  } catch {
    throw new Damaged("the recording in this page is not base64 text");
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Damaged("the recording in this page is cut short or changed");
  }
}

// Puts numbers together from their lowest bytes, their next ones and so on.
function join(bytes: Uint8Array, width: number): ArrayBuffer {
  const count = bytes.length / width;
  const joined = new Uint8Array(bytes.length);
  for (let byte = 0; byte < width; ++byte)
    for (let i = 0, from = byte * count; i < count; ++i) joined[i * width + byte] = bytes[from + i];
  return joined.buffer;
}

export class Columns {
  private constructor(
    readonly header: any,
    private readonly columns: Map<string, Numbers>,
  ) {}

  static async unpack(text: string): Promise<Columns> {
    return Columns.of(await inflate(fromBase64(text)));
  }

  static of(bytes: Uint8Array): Columns {
    if (bytes.length < 4) throw new Damaged("the recording in this page is empty");
    const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    let header: any;
    try {
      header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
    } catch {
      throw new Damaged("the recording in this page has no readable header");
    }
    return new Columns(header, Columns.read(bytes, start, header.columns));
  }

  private static read(bytes: Uint8Array, start: number, list: [string, keyof typeof kTypes, number][]) {
    const columns = new Map<string, Numbers>();
    for (const [name, type, length] of list) {
      const make = kTypes[type];
      const end = start + length * make.BYTES_PER_ELEMENT;
      if (end > bytes.length) throw new Damaged("the recording in this page is cut short");
      columns.set(name, new make(join(bytes.subarray(start, end), make.BYTES_PER_ELEMENT)));
      start = end;
    }
    return columns;
  }

  get(name: string): Numbers {
    const column = this.columns.get(name);
    if (!column) throw new Damaged(`the recording in this page has no "${name}"`);
    return column;
  }

  // Rows of `length` numbers that were kept as differences of multiples of a quantum.
  series(name: string, length: number, quantum: number, order: number): Float32Array {
    const kept = this.get(name) as Int32Array;
    const values = new Float32Array(kept.length);
    const row = new Int32Array(length);
    for (let first = 0; first < kept.length; first += length) {
      for (let i = 0; i < length; ++i) row[i] = (kept[first + i] >>> 1) ^ -(kept[first + i] & 1);
      for (let k = 0; k < order; ++k) for (let i = 1; i < length; ++i) row[i] += row[i - 1];
      for (let i = 0; i < length; ++i) values[first + i] = row[i] * quantum;
    }
    return values;
  }
}
