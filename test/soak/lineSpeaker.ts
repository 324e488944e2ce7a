import type { ReadyHost } from '../journey/hostProcess.ts';
import type { Random } from './random.ts';
import type { Said } from './ledger.ts';
import { openConnection, pause, type Connection } from './connection.ts';
import type { Fix } from './plan.ts';
import {
  beginningOf,
  type Mischief,
  type TerminalClient,
  type TerminalClientParts,
} from './terminalClient.ts';

/** Bytes, and the answer to them. */
export interface Spoken {
  bytes: Uint8Array;
  /** How long the answer is that these bytes begin with; 0: not known yet. */
  lengthOf: (received: Buffer) => number;
  /** Whether the answer says that all of it was taken. */
  isThanks: (answer: Buffer) => boolean;
}

/** A protocol over TCP whose answers come in the order of the messages. */
export interface Dialect {
  kind: string;
  resolution_ms: number;
  maxFixes: number;
  /** How many connections a terminal may have at a time. */
  parallel: number;
  portOf: (host: ReadyHost) => number;
  /** What a connection begins with. */
  greeting: Spoken | null;
  message: (fixes: readonly Fix[]) => Spoken;
  saidOf: (fix: Fix) => Said;
  /** A message with a fault that its checksum shows; null: it has none. */
  damaged: (bytes: Uint8Array, dice: Random) => Uint8Array | null;
  /** What else a terminal may say. */
  noise: (dice: Random) => { bytes: Uint8Array; lengthOf: Spoken['lengthOf'] | null };
}

export function createLineSpeaker(
  dialect: Dialect,
  { terminalId, dice, tally }: TerminalClientParts,
): TerminalClient {
  /** Those that nothing is under way on. */
  let idle: Connection[] = [];

  async function connect(host: ReadyHost): Promise<Connection> {
    const line = await openConnection(dialect.portOf(host));
    tally.add('connections of terminals');
    const { greeting } = dialect;
    if (greeting === null) return line;
    line.write(greeting.bytes);
    const answer = await line.answer(greeting.lengthOf);
    if (!greeting.isThanks(answer))
      tally.fault(`${dialect.kind}: a known terminal is not welcome`, answer.toString('hex'));
    return line;
  }

  async function hear(line: Connection, { lengthOf, isThanks }: Spoken, isDamaged = false): Promise<boolean> {
    const answer = await line.answer(lengthOf);
    const isTaken = isThanks(answer);
    if (isTaken === isDamaged)
      tally.fault(
        `${dialect.kind}: a ${isDamaged ? 'damaged message is acknowledged' : 'good message is answered otherwise'}`,
        JSON.stringify(answer.toString('latin1')),
      );
    return isTaken;
  }

  /** Whether it was acknowledged; null: not, and the connection is of no more use. */
  async function send(line: Connection, spoken: Spoken, faultInjection: Mischief): Promise<boolean | null> {
    const { bytes } = spoken;
    switch (faultInjection) {
      case 'none':
        line.write(bytes);
        return hear(line, spoken);
      case 'dribble':
        await line.dribble(bytes, dice);
        return hear(line, spoken);
      case 'twice':
        line.write(Buffer.concat([bytes, bytes]));
        return (await hear(line, spoken)) && (await hear(line, spoken));
      case 'noise': {
        const noise = dialect.noise(dice);
        line.write(noise.bytes);
        if (noise.lengthOf !== null) await line.answer(noise.lengthOf);
        line.write(bytes);
        return hear(line, spoken);
      }
      case 'damaged': {
        const damaged = dialect.damaged(bytes, dice);
        if (damaged === null) return send(line, spoken, 'none');
        line.write(damaged);
        await hear(line, spoken, true);
        return false;
      }
      case 'cut':
        line.write(beginningOf(bytes, dice));
        await pause(dice.whole(0, 30));
        if (dice.chance(0.5)) line.reset();
        else line.close();
        return null;
      case 'deaf':
        line.write(bytes);
        await pause(dice.whole(0, 60));
        line.reset();
        return null;
      case 'half_open':
        line.write(dice.chance(0.5) ? bytes : beginningOf(bytes, dice));
        line.abandon();
        return null;
    }
  }

  return {
    ...{ kind: dialect.kind, terminalId, resolution_ms: dialect.resolution_ms },
    ...{ maxFixes: dialect.maxFixes, parallel: dialect.parallel },
    saidOf: dialect.saidOf,
    async deliver(fixes, host, faultInjection) {
      let line: Connection | null = null;
      try {
        line = idle.pop() ?? (await connect(host));
        const isTaken = await send(line, dialect.message(fixes), faultInjection);
        if (isTaken !== null) idle.push(line);
        return isTaken === true;
      } catch {
        // The host is gone, or has ended the connection: what was not acknowledged is sent again.
        line?.reset();
        return false;
      }
    },
    hangUp() {
      for (const line of idle) line.close();
      idle = [];
    },
  };
}
