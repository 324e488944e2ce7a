import { describe, expect, it } from 'vitest';
import {
  readAdc,
  readParams,
  createFaults,
} from '../../../../../server/telemetry/protocols/wialon/dataPackets.ts';

const read = (text: string) => {
  const faults = createFaults();
  return { ...readParams(faults, text), fault: faults.first };
};
const many = Array.from({ length: 7_000 }, (_, at) => `k${at}`);

/** A name with each of its letters in both cases. */
function spellings(name: string): string[] {
  return Array.from(name).reduce<string[]>(
    (heads, letter) => heads.flatMap((head) => [head + letter, head + letter.toUpperCase()]),
    [''],
  );
}

describe('parameters', () => {
  it('parameters of thousands of names are kept in a bounded number, the first ones', () => {
    const { attributes, fault } = read(many.map((name) => `${name}:1:1`).join(','));
    expect(Object.keys(attributes)).toEqual(many.slice(0, 128));
    expect(fault).toBeNull();
  });

  it('parameters have their switches read behind thousands of others, however they are spelled', () => {
    const switches = ['ignition', 'ign', 'sos'].flatMap(spellings).map((name) => `${name}:1:1`);
    const { attributes, isSos, ignition } = read([...many.map((it) => `${it}:3:x`), ...switches].join(','));
    expect([isSos, ignition]).toEqual([true, true]);
    expect(Object.keys(attributes)).toEqual(many.slice(0, 128));
  });

  it('parameters are no more for switches that say neither 0 nor 1', () => {
    const first = many.slice(0, 127).map((it) => `${it}:1:1`);
    const { attributes, isSos, ignition } = read([...first, 'SOS:3:help', 'ign:2:12.6'].join(','));
    expect(Object.keys(attributes)).toEqual([...many.slice(0, 127), 'SOS']);
    expect([isSos, ignition]).toEqual([false, null]);
  });

  it('parameters that repeat have their last value, and the text of one that is left out goes nowhere', () => {
    const first = many.slice(0, 128).map((it) => `${it}:1:1`);
    const { attributes, fault } = read(
      [...first, 'left:3:out', 'and out', 'k0:1:2', 'k1:3:a', 'b'].join(','),
    );
    expect(attributes).toMatchObject({ k0: 2, k1: 'a,b', k127: 1 });
    expect(Object.keys(attributes)).toEqual(many.slice(0, 128));
    expect(fault).toBeNull();
  });

  it('parameters press the button by whichever of its spellings', () => {
    expect(read('SOS:1:1,sos:1:0')).toMatchObject({ isSos: true, attributes: {} });
  });
});

it('analog inputs are kept in a bounded number', () => {
  const values = readAdc(createFaults(), many.map((_, at) => at).join(','));
  expect(Object.keys(values)).toEqual(many.slice(0, 128).map((_, at) => `adc${at + 1}`));
});
