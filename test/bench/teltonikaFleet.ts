import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { imeiBytes, packetBytes, type FakeRecord } from '../support/fakeTeltonika.ts';

// A fleet of Teltonika terminals in a process of its own: `node test/bench/teltonikaFleet.ts`, spoken to by messages.

export interface FleetOrder {
  port: number;
  /** One connection each. */
  imeis: string[];
  /** Sent by each terminal, one after the other, each once the last is acknowledged. */
  packets: number;
  recordsEach: number;
  /** Of the whole fleet; null: as fast as they are acknowledged. */
  recordsPerSecond: number | null;
  /** The time of a terminal between two records. */
  stepMs: number;
}

/** What the fleet says: that all are connected, and that all was acknowledged. */
export type FleetWord = 'connected' | 'done';

/** From one end of a terminal's way to the other. */
const leg_s = 100;
/** Many at once overflow the queue of connections that wait to be taken. */
const atOnce = 100;

async function connectAll({ port, imeis }: FleetOrder): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < imeis.length; at += atOnce) {
    const some = imeis.slice(at, at + atOnce).map(async (imei, index) => {
      // The intake lets so many come from one address; on Linux all of 127.0.0.0/8 is this machine.
      const localAddress = `127.0.0.${2 + Math.floor((at + index) / 1_000)}`;
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.setNoDelay(true);
      await once(socket, 'connect');
      socket.write(imeiBytes(imei));
      const [welcome] = (await once(socket, 'data')) as [Buffer];
      if (welcome[0] !== 1) throw new Error(`terminal ${imei} was refused`);
      return socket;
    });
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

/** A terminal drives straight on from somewhere in a town of 20 by 20 km, with the elements that an FMB920 sends. */
function recordsOf(terminal: number, packet: number, order: FleetOrder, start_ms: number): FakeRecord[] {
  return Array.from({ length: order.recordsEach }, (_, index) => {
    const passed_ms = Math.round((packet * order.recordsEach + index) * order.stepMs);
    const passed_s = passed_ms / 1_000;
    const part = (factor: number) => ((terminal * factor) % 1) * 0.2 - 0.1;
    const speed_kmh = Math.round(45 + 20 * Math.sin(passed_s / 9 + terminal));
    // There and back again: a fleet stays where its geofences are.
    const along = leg_s - Math.abs((passed_s % (2 * leg_s)) - leg_s);
    const odometer = Buffer.alloc(4);
    odometer.writeUInt32BE(Math.round(1_000_000 + passed_s * 15));
    return {
      time_ms: start_ms + passed_ms,
      lat: 52.5 + part(Math.SQRT2) + along * 0.0001 * Math.sin(terminal),
      lon: 13.4 + part(Math.E) + along * 0.0002 * Math.cos(terminal),
      altitude_m: 40,
      course_deg: terminal % 360,
      satellites: 11,
      speed_kmh,
      io: {
        239: Buffer.of(1),
        240: Buffer.of(1),
        21: Buffer.of(4),
        200: Buffer.of(0),
        69: Buffer.of(1),
        66: Buffer.of(0x36, 0x10),
        67: Buffer.of(0x0f, 0xa0),
        181: Buffer.of(0, 12),
        182: Buffer.of(0, 8),
        16: odometer,
      },
    };
  });
}

/**
 * Sends the packets one by one; the waiting for a turn is measured from the beginning, so that a late one is made up
 * for. With as few promises as can be: the fleet runs on the processors of the host that it measures.
 */
function drive(socket: Socket, packets: Iterable<Buffer>, begin_ms: number, every_ms: number): Promise<void> {
  const waiting = packets[Symbol.iterator]();
  let next = waiting.next();
  let at = 0;
  return new Promise((resolve) => {
    function send(): void {
      if (next.done === true) return;
      socket.write(next.value);
      next = waiting.next();
      at += 1;
    }
    function sendInTurn(): void {
      const early_ms = begin_ms + at * every_ms - performance.now();
      if (next.done === true) {
        socket.off('data', sendInTurn);
        resolve();
      } else if (every_ms > 0 && early_ms > 0) setTimeout(send, early_ms);
      else send();
    }
    socket.on('data', sendInTurn);
    sendInTurn();
  });
}

function* packetsOf(terminal: number, order: FleetOrder, start_ms: number): Generator<Buffer> {
  for (let at = 0; at < order.packets; at++) yield packetBytes(recordsOf(terminal, at, order, start_ms));
}

async function run(order: FleetOrder): Promise<void> {
  const emit = (word: FleetWord) => process.send?.(word);
  const sockets = await connectAll(order);
  const { recordsPerSecond, recordsEach, stepMs } = order;
  // A fleet with a rate sends what it has just driven; one at full speed, what it drove before.
  const known_ms = (recordsPerSecond === null ? order.packets : 1) * recordsEach * stepMs;
  const start_ms = Math.floor(Date.now() - known_ms);
  const packets = sockets.map((_, terminal) => {
    const some = packetsOf(terminal, order, start_ms);
    // Made beforehand, so that a fleet at full speed takes little of the machine; many minutes of them have no room.
    return recordsPerSecond === null ? [...some] : some;
  });
  const every_ms = recordsPerSecond === null ? 0 : (sockets.length * recordsEach * 1_000) / recordsPerSecond;
  emit('connected');
  await once(process, 'message');
  const now = performance.now();
  // Spread over the time between two packets, as a fleet is.
  const beginOf = (at: number) => now + (every_ms * at) / sockets.length;
  await Promise.all(sockets.map((socket, at) => drive(socket, packets[at] ?? [], beginOf(at), every_ms)));
  emit('done');
  await once(process, 'message');
  for (const socket of sockets) socket.destroy();
  process.disconnect();
}

process.once('message', (order) => void run(order as FleetOrder));
