import type { DataType } from './dataPackets.ts';
import { answerLine } from './packets.ts';
import type { FaultKind } from './values.ts';

// Wialon IPS 2.0, the tables of answers; 1.1 has the same without the checksum. Whatever is not answered is repeated.

const codesOfShort: Readonly<Record<FaultKind, number>> = {
  structure: -1,
  time: 0,
  place: 10,
  motion: 11,
  satellites: 12,
  checksum: 13,
  // Of fields that a short packet does not have.
  ports: -1,
  adc: -1,
  params: -1,
};

const codesOfLong: Readonly<Record<FaultKind, number>> = {
  structure: -1,
  time: 0,
  place: 10,
  motion: 11,
  satellites: 12,
  ports: 13,
  adc: 14,
  params: 15,
  checksum: 16,
};

/** @param fault null: it was taken */
export function dataAnswer(type: DataType, fault: FaultKind | null): Buffer {
  const codes = type === 'SD' ? codesOfShort : codesOfLong;
  return answerLine(`A${type}`, fault === null ? 1 : codes[fault]);
}

/** @param taken how many messages; null: the CRC does not fit */
export function blackBoxAnswer(taken: number | null): Buffer {
  return answerLine('AB', taken ?? '');
}

export function loginAnswer(outcome: 'welcome' | 'refused' | 'checksum'): Buffer {
  return answerLine('AL', { welcome: '1', refused: '0', checksum: '10' }[outcome]);
}

export function messageAnswer(outcome: 'taken' | 'checksum' | 'refused'): Buffer {
  return answerLine('AM', { taken: '1', checksum: '01', refused: '0' }[outcome]);
}
