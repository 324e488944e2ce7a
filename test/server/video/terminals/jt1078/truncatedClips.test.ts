import { expect, it } from 'vitest';
import { createTruncatedClips } from '../../../../../server/video/terminals/jt1078/jt1078Terminal.ts';

const asked = { terminal_id: '1', channel: { channel: 2, name: '' }, from_ms: 0, to_ms: 1_000 };

it('the end of a truncated clip is known for its own request alone, until it is forgotten', () => {
  const ends = createTruncatedClips();
  const order = { ...asked, stream: 'sub' } as const;
  ends.note(order, 500);
  expect(ends.of(order)).toBe(500);
  for (const other of [
    { ...order, stream: 'main' as const },
    { ...order, terminal_id: '2' },
    { ...order, channel: { channel: 3, name: '' } },
    { ...order, to_ms: 2_000 },
    { ...order, from_ms: 1 },
  ]) {
    expect(ends.of(other)).toBeNull();
  }
  ends.forget(order);
  expect(ends.of(order)).toBeNull();
});

it('the thousand newest ends are known of requests without end', () => {
  const ends = createTruncatedClips();
  const order = (at: number) => ({ ...asked, from_ms: at, stream: 'sub' }) as const;
  for (let at = 0; at < 1_000; at += 1) ends.note(order(at), at);
  ends.note(order(0), 7);
  ends.note(order(1_000), 8);
  expect([0, 1, 2, 1_000].map((at) => ends.of(order(at)))).toEqual([7, null, 2, 8]);
});
