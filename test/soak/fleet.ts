import { createDatagramSpeaker, teltonikaOverUdp, wialonOverUdp } from './datagramSpeaker.ts';
import { osmandOverHttp, teltonikaOverTcp, wialonOverTcp } from './dialects.ts';
import type { Dice } from './dice.ts';
import { createJt808Speaker } from './jt808Speaker.ts';
import { createLineSpeaker } from './lineSpeaker.ts';
import type { Speaker, SpeakerParts } from './speaker.ts';
import type { Tally } from './tally.ts';

const codecs = [0x08, 0x8e, 0x10] as const;

type Kind = (terminalId: string, parts: Omit<SpeakerParts, 'terminalId'>, at: number) => Speaker;

/** Each way to speak, and the numbers of its terminals. */
const kinds: readonly { idOf: (at: number) => string; speak: Kind }[] = [
  {
    idOf: imeiFrom(35_630_704_100),
    speak: (id, parts, at) =>
      createLineSpeaker(teltonikaOverTcp(id, codecs[at % 3] ?? 0x08), { ...parts, terminalId: id }),
  },
  {
    idOf: imeiFrom(35_630_704_200),
    speak: (id, parts, at) =>
      createDatagramSpeaker(teltonikaOverUdp(id, codecs[at % 3] ?? 0x08, parts.dice), {
        ...parts,
        terminalId: id,
      }),
  },
  ...(['1.1', '2.0'] as const).flatMap((version) => [
    {
      idOf: imeiFrom(version === '1.1' ? 35_630_704_300 : 35_630_704_400),
      speak: ((id, parts) =>
        createLineSpeaker(wialonOverTcp(id, version), { ...parts, terminalId: id })) satisfies Kind,
    },
    {
      idOf: imeiFrom(version === '1.1' ? 35_630_704_500 : 35_630_704_600),
      speak: ((id, parts) =>
        createDatagramSpeaker(wialonOverUdp(id, version), { ...parts, terminalId: id })) satisfies Kind,
    },
  ]),
  ...(['2013', '2019'] as const).map((form) => ({
    idOf: (at: number) => `${(form === '2013' ? 13_800_000_000 : 13_900_000_000) + at}`,
    speak: ((id, parts) => createJt808Speaker(form, { ...parts, terminalId: id })) satisfies Kind,
  })),
  {
    idOf: (at) => `soak-phone-${at}`,
    speak: (id, parts) => createLineSpeaker(osmandOverHttp(id), { ...parts, terminalId: id }),
  },
];

/** So many terminals of each way to speak. */
export function createFleet(ofEach: number, dice: Dice, tally: Tally): Speaker[] {
  return kinds.flatMap(({ idOf, speak }) =>
    Array.from({ length: ofEach }, (_, at) => speak(idOf(at), { dice: dice.fork(), tally }, at)),
  );
}

function imeiFrom(start: number): (at: number) => string {
  return (at) => `${start}${String(at).padStart(4, '0')}`;
}
