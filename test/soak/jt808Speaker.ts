import {
  batchBody,
  connectFakeJt808,
  messageFrame,
  positionBody,
  type FakeJt808,
  type FakePosition,
} from '../support/fakeJt808.ts';
import type { ReadyHost } from '../journey/hostProcess.ts';
import { pause } from './connection.ts';
import type { Fix } from './plan.ts';
import {
  beginningOf,
  commonOf,
  withBitTurned,
  type Mischief,
  type TerminalClient,
  type TerminalClientParts,
} from './terminalClient.ts';

/** Parts that were lost are asked for after five seconds; a host that is busier than this is none. */
const patienceMs = 30_000;
/** What a body holds at most, JT/T 808 4.4.3. */
const maxBody = 1_023;
const generalAnswer = 0x8001;

function positionOf({ time_ms, number, lat, lon, altitude_m, speed_kmh, sos, hasFix }: Fix): FakePosition {
  const odometer = Buffer.alloc(4);
  odometer.writeUInt32BE(number);
  return {
    ...{ time_ms, lat, lon, altitude_m, speed_kmh },
    ...{ alarm: sos ? 1 : 0, fix: hasFix, items: { 0x01: odometer } },
  };
}

/** Its answers say what they answer: several messages are under way at a time. */
export function createJt808Speaker(
  form: '2013' | '2019',
  { terminalId, dice, tally }: TerminalClientParts,
): TerminalClient {
  const kind = `JT/T 808-${form}`;
  let line: Promise<FakeJt808> | null = null;
  /** Of what is written byte by byte: far from those that the terminal counts. */
  let ownSerial = 0x8000;
  /** Connections that nobody ended. */
  const halfOpen: FakeJt808[] = [];

  async function logOn({ jt808Port }: ReadyHost): Promise<FakeJt808> {
    const fresh = await connectFakeJt808({ port: jt808Port, phone: terminalId, form });
    tally.add('connections of terminals');
    try {
      await inTime(dice.chance(0.3) ? fresh.logOn() : fresh.authenticate('kept').then(expectWell));
      return fresh;
    } catch (error) {
      fresh.abort();
      throw error;
    }
  }

  function expectWell(result: number): void {
    if (result !== 0) tally.fault(`${kind}: a good message is answered with ${result}`);
  }

  /** Resolves when each of these serials has its answer. */
  function thanks(on: FakeJt808, id: number, serials: readonly number[]): Promise<void> {
    const open = new Set(serials);
    return inTime(
      new Promise((resolve, reject) => {
        const stop = on.on(generalAnswer, ({ body }) => {
          const serial = body.readUInt16BE(0);
          if (!open.has(serial) || body.readUInt16BE(2) !== id) return;
          expectWell(body[4] ?? -1);
          open.delete(serial);
          if (open.size > 0) return;
          stop();
          resolve();
        });
        void on.ended.then(() => reject(new Error('the connection ended')));
      }),
    );
  }

  async function tellInParts(on: FakeJt808, body: Buffer, faultInjection: Mischief): Promise<void> {
    const partBytes = dice.whole(200, 900);
    const count = Math.ceil(body.length / partBytes);
    const all = Array.from({ length: count }, (_, at) => at + 1);
    tally.add('messages in parts');
    if (faultInjection === 'dribble') {
      // In any order.
      const serials = on.sendParts(0x0704, body, partBytes, all);
      const answered = thanks(on, 0x0704, serials);
      for (const number of dice.shuffled(all)) on.sendPart(serials[0] ?? 0, number);
      await answered;
      return;
    }
    const lost = faultInjection === 'noise' ? all.filter(() => dice.chance(0.3)).slice(0, count - 1) : [];
    if (lost.length > 0) tally.add('messages that lost parts');
    await thanks(on, 0x0704, on.sendParts(0x0704, body, partBytes, lost));
  }

  /** Whether it was acknowledged. */
  async function send(on: FakeJt808, fixes: readonly Fix[], faultInjection: Mischief): Promise<boolean> {
    const positions = fixes.map(positionOf);
    const [only] = positions;
    const isSingle = positions.length === 1 && only !== undefined && dice.chance(0.8);
    const id = isSingle ? 0x0200 : 0x0704;
    const body = isSingle ? positionBody(only) : batchBody(positions, dice.chance(0.5) ? 1 : 0);
    const header = { phoneBcd: on.phoneBcd, form, id };
    if (body.length > maxBody || (!isSingle && dice.chance(0.3))) {
      switch (faultInjection) {
        case 'cut':
        case 'deaf':
        case 'half_open':
          on.sendParts(
            id,
            body,
            dice.whole(100, 400),
            faultInjection === 'cut' ? [1 + dice.whole(0, 2)] : [],
          );
          await leave(on, faultInjection);
          return false;
        default:
          await tellInParts(on, body, faultInjection);
          return true;
      }
    }
    ownSerial = ownSerial === 0xffff ? 0x8000 : ownSerial + 1;
    const serial = ownSerial;
    const frame = messageFrame({ ...header, serial }, body);
    switch (faultInjection) {
      case 'none':
        expectWell(await inTime(on.emit(id, body)));
        return true;
      case 'twice':
        (await inTime(Promise.all([on.emit(id, body), on.emit(id, body)]))).forEach(expectWell);
        return true;
      case 'dribble': {
        // Nothing else may come between the pieces.
        const answered = thanks(on, id, [serial]);
        const middle = dice.whole(1, frame.length - 1);
        on.write(frame.subarray(0, middle));
        on.write(frame.subarray(middle));
        await answered;
        return true;
      }
      case 'noise': {
        const answered = thanks(on, id, [serial]);
        on.write(Buffer.concat([Buffer.of(0x7e), withoutDelimiter(dice.bytes(dice.whole(1, 40))), frame]));
        const [result] = await Promise.all([inTime(on.heartbeat()), answered]);
        expectWell(result);
        return true;
      }
      case 'damaged':
        on.write(damagedFrame(frame));
        return false;
      case 'cut':
        on.write(beginningOf(frame, dice));
        break;
      case 'deaf':
        on.write(frame);
        break;
      case 'half_open':
        on.write(dice.chance(0.5) ? frame : beginningOf(frame, dice));
        break;
    }
    await leave(on, faultInjection);
    return false;
  }

  async function leave(on: FakeJt808, faultInjection: Mischief): Promise<void> {
    line = null;
    if (faultInjection === 'half_open') halfOpen.push(on);
    else {
      await pause(dice.whole(0, 60));
      on.abort();
    }
  }

  /** Delimiters and escapes stay as they are, or the next frame would suffer too. */
  function damagedFrame(frame: Buffer): Buffer {
    for (;;) {
      const damaged = withBitTurned(frame, 1, frame.length - 2, dice);
      const at = damaged.findIndex((byte, index) => byte !== frame[index]);
      if (![damaged[at], frame[at], frame[at - 1]].some((byte) => byte === 0x7d || byte === 0x7e))
        return damaged;
    }
  }

  return {
    ...{ kind, terminalId, resolution_ms: 1_000, maxFixes: 60, parallel: 3 },
    saidOf: (fix) => ({ ...commonOf(fix), odometer_m: fix.number * 100 }),
    async deliver(fixes, host, faultInjection) {
      const mine = (line ??= logOn(host));
      try {
        return await send(await mine, fixes, faultInjection);
      } catch {
        // The host is gone, or has ended the connection: what was not acknowledged is sent again.
        if (line === mine) line = null;
        void mine.then(
          (it) => it.abort(),
          () => undefined,
        );
        return false;
      }
    },
    hangUp() {
      const last = line;
      line = null;
      void last?.then(
        (it) => it.abort(),
        () => undefined,
      );
      for (const one of halfOpen.splice(0)) one.abort();
    },
  };
}

function withoutDelimiter(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0x7e));
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer came')), patienceMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
