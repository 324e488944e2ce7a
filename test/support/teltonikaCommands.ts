import { packetOf, type FakeTeltonika } from './fakeTeltonika.ts';

// Codec 12 as a terminal reads and writes it.

/** Waits for the next command that the host sends; nothing else may come before it. */
export async function readCommand(terminal: FakeTeltonika): Promise<string> {
  const head = await terminal.read(8);
  const length = head.readUInt32BE(4);
  const data = (await terminal.read(length + 4)).subarray(0, length);
  const text = data.toString('latin1', 7, length - 1);
  const expected = Buffer.concat([
    Buffer.of(0x0c, 1, 5, 0, 0, 0, text.length),
    data.subarray(7, -1),
    Buffer.of(1),
  ]);
  if (head.readUInt32BE(0) !== 0 || !data.equals(expected))
    throw new Error(`no command: ${data.toString('hex')}`);
  return text;
}

/** What a terminal says to a command. */
export function commandAnswer(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return packetOf(Buffer.concat([Buffer.of(0x0c, 1, 6), length, Buffer.from(text, 'latin1'), Buffer.of(1)]));
}

/** A line that a terminal hands on from a device behind it, unasked: codec 13, with the moment before the text. */
export function unaskedLine(text: string): Buffer {
  const head = Buffer.alloc(11);
  head.set([0x0d, 1, 6]);
  head.writeUInt32BE(text.length + 4, 3);
  return packetOf(Buffer.concat([head, Buffer.from(text, 'latin1'), Buffer.of(1)]));
}
