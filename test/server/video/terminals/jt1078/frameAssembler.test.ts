import { describe, expect, it } from 'vitest';
import { createFrameAssembler } from '../../../../../server/video/terminals/jt1078/frameAssembler.ts';
import type { MediaPacket } from '../../../../../server/video/terminals/jt1078/mediaPacket.ts';

type Sketch = [kind: MediaPacket['kind'], part: MediaPacket['part'], serial: number, text?: string];

function assemble(sketches: readonly Sketch[]) {
  const assembler = createFrameAssembler();
  const frames = sketches.flatMap(([kind, part, serial, text = '.']) => {
    const frame = assembler.push({
      sim: '1',
      channel: 1,
      kind,
      part,
      serial,
      payloadType: 98,
      time_ms: kind === 'transparent' ? null : serial * 40,
      sinceFrameMs: 40,
      payload: Buffer.from(text),
    });
    return frame === null ? [] : [`${frame.kind}:${frame.data.toString()}`];
  });
  return { frames, lost: assembler.lost(), isInside: assembler.isInside() };
}

describe('frames', () => {
  it('frames are joined of their first, middle and last part, or are whole', () => {
    const { frames } = assemble([
      ['I', 'first', 65_534, 'a'],
      ['I', 'middle', 65_535, 'b'],
      ['I', 'last', 0, 'c'],
      ['P', 'whole', 1, 'd'],
      ['B', 'whole', 2, 'e'],
    ]);
    expect(frames).toEqual(['I:abc', 'P:d', 'B:e']);
  });

  it('frames begin with an I frame', () => {
    const { frames, lost } = assemble([
      ['P', 'last', 5],
      ['P', 'whole', 6],
      ['I', 'whole', 7, 'i'],
    ]);
    expect(frames).toEqual(['I:i']);
    expect(lost).toBe(1);
  });

  it('frames of which a part is lost are dropped, and all that refer to them', () => {
    const { frames, lost } = assemble([
      ['I', 'whole', 0, 'i'],
      ['P', 'first', 1, 'a'],
      ['P', 'last', 3, 'c'],
      ['P', 'whole', 4, 'd'],
      ['I', 'whole', 5, 'j'],
      ['P', 'whole', 6, 'e'],
    ]);
    expect(frames).toEqual(['I:i', 'I:j', 'P:e']);
    expect(lost).toBe(2);
  });

  it('frames that come out of order are dropped up to the next I frame', () => {
    const { frames } = assemble([
      ['I', 'whole', 0, 'i'],
      ['P', 'whole', 2, 'b'],
      ['P', 'whole', 1, 'a'],
      ['P', 'whole', 3, 'c'],
      ['I', 'whole', 4, 'j'],
    ]);
    expect(frames).toEqual(['I:i', 'I:j']);
  });

  it('frames go on past audio between their parts, however the terminal counts', () => {
    const together = assemble([
      ['I', 'first', 0, 'a'],
      ['sound', 'whole', 1, 's'],
      ['I', 'last', 2, 'b'],
      ['transparent', 'whole', 3],
      ['P', 'whole', 4, 'p'],
    ]);
    const apart = assemble([
      ['I', 'first', 0, 'a'],
      ['sound', 'whole', 70, 's'],
      ['I', 'last', 1, 'b'],
      ['sound', 'whole', 71, 't'],
      ['P', 'whole', 2, 'p'],
    ]);
    expect(together.frames).toEqual(['sound:s', 'I:ab', 'P:p']);
    expect(apart.frames).toEqual(['sound:s', 'I:ab', 'sound:t', 'P:p']);
  });

  it('frames of audio need no I frame after a gap', () => {
    expect(
      assemble([
        ['sound', 'whole', 0, 'a'],
        ['sound', 'whole', 9, 'b'],
      ]).frames,
    ).toEqual(['sound:a', 'sound:b']);
  });

  it('frames that restart within a frame, and frames without end, are given up', () => {
    const middle = (serial: number): Sketch => ['I', 'middle', serial % 65_536, 'x'.repeat(1_000)];
    const { frames, lost, isInside } = assemble([
      ['I', 'first', 0, 'a'],
      ['I', 'first', 1, 'b'],
      ['I', 'last', 2, 'c'],
      ['I', 'first', 3],
      ...Array.from({ length: 6_000 }, (_, i) => middle(4 + i)),
      ['I', 'last', 6_004],
    ]);
    expect(frames).toEqual(['I:bc']);
    expect({ lost, isInside }).toEqual({ lost: 2, isInside: false });
  });
});
