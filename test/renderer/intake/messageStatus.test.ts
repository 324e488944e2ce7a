import { describe, expect, it } from 'vitest';
import {
  canBeAdded,
  knownTerminals,
  messageKey,
  messageStatus,
} from '../../../renderer/intake/StatusMark.tsx';
import { sampleMessage } from './sampleMessage.ts';

const nobody = () => false;
const everybody = () => true;

describe('the result of a message', () => {
  it('the result of a message is given by the gravest result of its reports', () => {
    const of = (outcomes: ReturnType<typeof sampleMessage>['outcomes']) =>
      messageStatus(sampleMessage({ report_count: 3, outcomes }), everybody);
    expect(of({ stored: 2, failed: 1 })).toBe('failed');
    expect(of({ stored: 2, unknown: 1 })).toBe('unknown');
    expect(of({ stored: 2, rejected: 1 })).toBe('rejected');
    expect(of({ stored: 1, duplicate: 2 })).toBe('through');
    expect(of({ merged: 1 })).toBe('through');
    expect(of({ duplicate: 3 })).toBe('repeated');
  });

  it('the result of a message is “unreadable”, which is graver than the results of its other parts', () => {
    const of = (fields: Parameters<typeof sampleMessage>[0]) =>
      messageStatus(sampleMessage({ undecodable: true, ...fields }), everybody);
    expect(of({})).toBe('undecodable');
    expect(of({ terminal_id: null })).toBe('undecodable');
    expect(of({ report_count: 3, outcomes: { stored: 2, rejected: 1 } })).toBe('undecodable');
    expect(of({ report_count: 1, outcomes: { unknown: 1 } })).toBe('unknown');
    expect(of({ report_count: 1, outcomes: { failed: 1 } })).toBe('failed');
  });

  it('the result of a message is “unknown terminal” when it was rejected at its login', () => {
    expect(messageStatus(sampleMessage(), nobody)).toBe('unknown');
    expect(messageStatus(sampleMessage(), everybody)).toBe('said');
  });

  it('the result of a message says nothing of a terminal when none was named', () => {
    expect(messageStatus(sampleMessage({ terminal_id: null }), nobody)).toBe('said');
  });

  it('the result of a message is not shown before it is known', () => {
    expect(messageStatus(sampleMessage({ report_count: 1 }), nobody)).toBe('pending');
  });
});

describe('a terminal', () => {
  it('a terminal is known whatever its leading zeros and letters', () => {
    const isKnown = knownTerminals([{ terminal_id: '0013A' }]);
    expect(isKnown('13a')).toBe(true);
    expect(isKnown('13b')).toBe(false);
  });

  it('a terminal can be given a vehicle only by an ID that a vehicle can have', () => {
    expect(canBeAdded('356307042441013')).toBe(true);
    expect(canBeAdded('a name with blanks')).toBe(false);
    expect(canBeAdded('x'.repeat(33))).toBe(false);
  });
});

it('messages with one number are two, when they came by two listeners or after a restart', () => {
  const keys = [
    sampleMessage(),
    sampleMessage({ listener: 'wialon' }),
    sampleMessage({ at: '2026-11-21T12:00:01.000Z' }),
  ].map(messageKey);
  expect(new Set(keys).size).toBe(3);
});
