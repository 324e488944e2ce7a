import { once } from 'node:events';
import { connect } from 'node:net';
import { messageFrame } from '../../../support/fakeJt808.ts';

/** A message as it stood on the wire, in hex; with a reading of its own of the standard's framing. */
export interface WireMessage {
  id: string;
  phone: string;
  serial: number;
  body: string;
  /** All but its serial and its check byte: what an answer must be, byte for byte. */
  unnumbered: string;
}

export function readWire(frame: Buffer): WireMessage {
  const plain = frame
    .toString('latin1', 1, frame.length - 1)
    .replaceAll('}\x02', '~')
    .replaceAll('}\x01', '}');
  const bytes = Buffer.from(plain, 'latin1');
  if (bytes.reduce((sum, byte) => sum ^ byte, 0) !== 0) throw new Error('the check byte does not fit');
  const attributes = bytes.readUInt16BE(2);
  const phoneStart = (attributes & 0x4000) === 0 ? 4 : 5;
  const phoneEnd = phoneStart + (attributes & 0x4000 ? 10 : 6);
  const bodyStart = phoneEnd + (attributes & 0x2000 ? 6 : 2);
  const hex = bytes.toString('hex', 0, bytes.length - 1);
  return {
    id: hex.slice(0, 4),
    phone: hex.slice(phoneStart * 2, phoneEnd * 2),
    serial: bytes.readUInt16BE(phoneEnd),
    body: hex.slice(bodyStart * 2),
    unnumbered: hex.slice(0, phoneEnd * 2) + hex.slice(bodyStart * 2),
  };
}

export interface RawTerminal {
  received: WireMessage[];
  /** Writes each piece for itself, as far as the network lets it. */
  write(...pieces: readonly Uint8Array[]): Promise<void>;
  /** Resolves when so many messages have come. */
  until(count: number): Promise<void>;
  /** Ends the connection in good order: what was under way is answered before. */
  close(): Promise<void>;
}

/** A terminal that writes bytes as they are. */
export async function connectRaw(port: number): Promise<RawTerminal> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received: WireMessage[] = [];
  let rest = Buffer.alloc(0);
  let wake = (): void => undefined;
  let isOver = false;
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0x7e, 1); end > 0; end = rest.indexOf(0x7e, 1)) {
      received.push(readWire(rest.subarray(0, end + 1)));
      rest = rest.subarray(end + 1);
    }
    wake();
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close').then(() => {
    isOver = true;
    wake();
  });
  await once(socket, 'connect');
  return {
    received,
    async write(...pieces) {
      for (const piece of pieces) {
        await new Promise<void>((resolve) => socket.write(piece, () => resolve()));
        // The host reads in between: both are in one process.
        await new Promise(setImmediate);
      }
    },
    async until(count) {
      while (received.length < count) {
        if (isOver) throw new Error(`the connection ended after ${received.length} of ${count} messages`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async close() {
      socket.end();
      await closed;
    },
  };
}

/** 0x0102 in the form that this number is written in. */
export function authentication(phoneBcd: string): Buffer {
  const form = phoneBcd.length === 20 ? '2019' : '2013';
  const code = Buffer.from('code');
  const body = form === '2019' ? Buffer.concat([Buffer.of(code.length), code, Buffer.alloc(35)]) : code;
  return messageFrame({ id: 0x0102, serial: 0x0abc, phoneBcd, form }, body);
}
