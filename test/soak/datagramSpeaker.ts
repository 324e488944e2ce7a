import type { ReadyHost } from '../journey/hostProcess.ts';
import { askOnce } from '../support/datagrams.ts';
import { datagramBytes, type FakeCodec } from '../support/fakeTeltonika.ts';
import type { WialonVersion } from '../support/fakeWialon.ts';
import type { Random } from './random.ts';
import {
  isWialonThanks,
  teltonikaRecord,
  teltonikaSaid,
  wialonDamaged,
  wialonPacket,
  wialonSaid,
} from './dialects.ts';
import type { Said } from './ledger.ts';
import type { Fix } from './plan.ts';
import { beginningOf, type TerminalClient, type TerminalClientParts } from './terminalClient.ts';

/** A protocol over UDP. */
export interface DatagramDialect {
  kind: string;
  resolution_ms: number;
  maxFixes: number;
  portOf: (host: ReadyHost) => number;
  datagram: (fixes: readonly Fix[]) => { bytes: Uint8Array; isThanks: (answer: Buffer) => boolean };
  saidOf: (fix: Fix) => Said;
  /** A datagram that shows that it is not whole; null: this protocol's do not. */
  damaged: (bytes: Uint8Array, dice: Random) => Uint8Array | null;
}

const patienceMs = 4_000;
/** Until a datagram is on its way. */
const sentMs = 20;
/** For an answer that must not come. */
const silenceMs = 300;

/** Each datagram has a port of its own: a late answer is not taken for that to another one. */
export function createDatagramSpeaker(
  dialect: DatagramDialect,
  { terminalId, dice, tally }: TerminalClientParts,
): TerminalClient {
  return {
    ...{ kind: dialect.kind, terminalId, resolution_ms: dialect.resolution_ms },
    ...{ maxFixes: dialect.maxFixes, parallel: 4 },
    saidOf: dialect.saidOf,
    hangUp: () => undefined,
    async deliver(fixes, host, faultInjection) {
      const port = dialect.portOf(host);
      const { bytes, isThanks } = dialect.datagram(fixes);
      const ask = async (waitMs: number, what = bytes) => {
        tally.add('datagrams');
        return askOnce(port, what, waitMs);
      };
      if (faultInjection === 'deaf' || faultInjection === 'half_open') {
        await ask(sentMs);
        return false;
      }
      const damaged = ['damaged', 'cut'].includes(faultInjection) ? dialect.damaged(bytes, dice) : null;
      if (damaged !== null) {
        const answer = await ask(silenceMs, damaged);
        if (answer !== null && isThanks(answer))
          tally.fault(`${dialect.kind}: a damaged datagram is acknowledged`);
        return false;
      }
      const answers = await Promise.all(
        (faultInjection === 'twice' ? [patienceMs, patienceMs] : [patienceMs]).map((ms) => ask(ms)),
      );
      const heard = answers.filter((it) => it !== null);
      for (const answer of heard)
        if (!isThanks(answer))
          tally.fault(
            `${dialect.kind}: a good datagram is answered otherwise`,
            JSON.stringify(answer.toString('latin1')),
          );
      return heard.some(isThanks);
    },
  };
}

export function teltonikaOverUdp(imei: string, codec: FakeCodec, dice: Random): DatagramDialect {
  return {
    ...{ kind: `Teltonika over UDP, codec ${codec.toString(16)}`, resolution_ms: 1, maxFixes: 10 },
    portOf: (host) => host.teltonikaPort,
    datagram(fixes) {
      const ids = { packet: dice.whole(0, 0xffff), avl: dice.whole(0, 0xff) };
      const thanks = Buffer.of(0, 5, ids.packet >> 8, ids.packet & 0xff, 1, ids.avl, fixes.length);
      return {
        bytes: datagramBytes(imei, fixes.map(teltonikaRecord), ids, codec),
        isThanks: (answer) => answer.equals(thanks),
      };
    },
    saidOf: teltonikaSaid,
    // There is no checksum but that of UDP itself; its length shows what is cut.
    damaged: beginningOf,
  };
}

export function wialonOverUdp(imei: string, version: WialonVersion): DatagramDialect {
  return {
    ...{ kind: `Wialon IPS ${version} over UDP`, resolution_ms: 1_000, maxFixes: 8 },
    portOf: (host) => host.wialonPort,
    datagram: (fixes) => ({
      bytes: Buffer.from(`${version === '2.0' ? '2.0;' : ''}${imei}${wialonPacket(version, fixes)}`),
      isThanks: (answer) => isWialonThanks(fixes, answer),
    }),
    saidOf: wialonSaid,
    damaged(bytes, dice) {
      if (version === '1.1') return null;
      const text = Buffer.from(bytes).toString('latin1');
      const start = text.indexOf('#');
      return Buffer.concat([
        bytes.subarray(0, start),
        wialonDamaged(bytes.subarray(start), dice.whole(1, 9)),
      ]);
    },
  };
}
