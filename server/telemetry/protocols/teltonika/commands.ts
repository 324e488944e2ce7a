import { packetOf } from './frames.ts';

// Codec 12, by which the server asks and the terminal answers in text: codec BYTE, a count of one, kind BYTE, length
// DWORD, text, the count again. Source: wiki.teltonika-gps.com, "Codec", codec 12.

const codec12 = 0x0c;
/** Codecs 13 to 15 carry text too: lines that a terminal hands on, and commands to one IMEI. */
const lastOfText = 0x0f;
const command = 0x05;
const answer = 0x06;
const textStart = 7;

/** Whether the data of a packet, from the codec on, are text and no records: they are not acknowledged. */
export function isText(codec: number): boolean {
  return codec >= codec12 && codec <= lastOfText;
}

/** A command as it goes over the connection of a terminal. @param text in ASCII, as in the maker's list: `getinfo` */
export function commandPacket(text: string): Buffer {
  const head = Buffer.of(codec12, 1, command, 0, 0, 0, 0);
  const received = Buffer.from(text, 'latin1');
  head.writeUInt32BE(received.length, 3);
  return packetOf(Buffer.concat([head, received, Buffer.of(1)]));
}

/** What a terminal answers to a command; null for data that are no such answer. */
export function readCommandAnswer(data: Buffer): string | null {
  if (data.length <= textStart || data[0] !== codec12 || data[2] !== answer) return null;
  const end = textStart + data.readUInt32BE(3);
  return end === data.length - 1 ? data.toString('latin1', textStart, end) : null;
}
