import { createDatagramSpeaker, teltonikaOverUdp, wialonOverUdp } from './datagramSpeaker.ts';
import { osmandOverHttp, teltonikaOverTcp, wialonOverTcp } from './dialects.ts';
import type { Random } from './random.ts';
import { createJt808Speaker } from './jt808Speaker.ts';
import { createLineSpeaker } from './lineSpeaker.ts';
import type { TerminalClient, TerminalClientParts } from './terminalClient.ts';
import type { Counters } from './counters.ts';

const codecs = [0x08, 0x8e, 0x10] as const;

type Kind = (terminalId: string, deps: Omit<TerminalClientParts, 'terminalId'>, at: number) => TerminalClient;

/** Each way to speak, and the numbers of its terminals. */
const kinds: readonly { idOf: (at: number) => string; send: Kind }[] = [
  {
    idOf: imeiFrom(35_630_704_100),
    send: (id, parts, at) =>
      createLineSpeaker(teltonikaOverTcp(id, codecs[at % 3] ?? 0x08), { ...parts, terminalId: id }),
  },
  {
    idOf: imeiFrom(35_630_704_200),
    send: (id, parts, at) =>
      createDatagramSpeaker(teltonikaOverUdp(id, codecs[at % 3] ?? 0x08, parts.dice), {
        ...parts,
        terminalId: id,
      }),
  },
  ...(['1.1', '2.0'] as const).flatMap((version) => [
    {
      idOf: imeiFrom(version === '1.1' ? 35_630_704_300 : 35_630_704_400),
      send: ((id, parts) =>
        createLineSpeaker(wialonOverTcp(id, version), { ...parts, terminalId: id })) satisfies Kind,
    },
    {
      idOf: imeiFrom(version === '1.1' ? 35_630_704_500 : 35_630_704_600),
      send: ((id, parts) =>
        createDatagramSpeaker(wialonOverUdp(id, version), { ...parts, terminalId: id })) satisfies Kind,
    },
  ]),
  ...(['2013', '2019'] as const).map((form) => ({
    idOf: (at: number) => `${(form === '2013' ? 13_800_000_000 : 13_900_000_000) + at}`,
    send: ((id, parts) => createJt808Speaker(form, { ...parts, terminalId: id })) satisfies Kind,
  })),
  {
    idOf: (at) => `soak-phone-${at}`,
    send: (id, parts) => createLineSpeaker(osmandOverHttp(id), { ...parts, terminalId: id }),
  },
];

/** So many terminals of each way to speak. */
export function createFleet(ofEach: number, dice: Random, tally: Counters): TerminalClient[] {
  return kinds.flatMap(({ idOf, send }) =>
    Array.from({ length: ofEach }, (_, at) => send(idOf(at), { dice: dice.fork(), tally }, at)),
  );
}

function imeiFrom(start: number): (at: number) => string {
  return (at) => `${start}${String(at).padStart(4, '0')}`;
}
