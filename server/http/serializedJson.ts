/** A value as JSON, and how many bytes that is in UTF-8: to count them takes longer than to write them. */
export interface JsonText {
  text: string;
  size: number;
}

const comma = 0x2c;

/**
 * A reply that is JSON text already: a list whose items were written before, between `head` and `tail`. The contract of
 * its operation holds for it all the same.
 */
export class SerializedPage {
  readonly #head: string;
  readonly #items: readonly JsonText[];
  readonly #tail: string;
  #bytes: Buffer | null = null;

  constructor(head: string, items: readonly JsonText[], tail: string) {
    this.#head = head;
    this.#items = items;
    this.#tail = tail;
  }

  /** The same bytes each time; not to be written to. */
  bytes(): Buffer {
    this.#bytes ??= this.#write();
    return this.#bytes;
  }

  /** Each text goes to its place at once: joining thousands of them first takes several times as long. */
  #write(): Buffer {
    const items = this.#items;
    let size = Buffer.byteLength(this.#head) + Buffer.byteLength(this.#tail) + Math.max(0, items.length - 1);
    for (const item of items) size += item.size;
    const bytes = Buffer.allocUnsafe(size);
    let at = bytes.write(this.#head, 0);
    for (const [index, item] of items.entries()) {
      if (index > 0) bytes[at++] = comma;
      at += bytes.write(item.text, at);
    }
    at += bytes.write(this.#tail, at);
    if (at !== size) throw new Error(`a reply of ${size} bytes came to ${at}`);
    return bytes;
  }

  /** What the text says. */
  value(): unknown {
    return JSON.parse(this.bytes().toString());
  }
}

export function jsonText(text: string): JsonText {
  return { text, size: Buffer.byteLength(text) };
}

const cached = new WeakMap<object, JsonText>();

/** The JSON of a value that never changes: made once, and kept for as long as the value is. */
export function keptJson(value: object): JsonText {
  let json = cached.get(value);
  if (json === undefined) {
    json = jsonText(JSON.stringify(value));
    cached.set(value, json);
  }
  return json;
}

/** A page of a list whose items are JSON text already. */
export function readyPage(page: { items: readonly JsonText[]; next_cursor: string | null }): SerializedPage {
  return new SerializedPage('{"items":[', page.items, `],"next_cursor":${JSON.stringify(page.next_cursor)}}`);
}
