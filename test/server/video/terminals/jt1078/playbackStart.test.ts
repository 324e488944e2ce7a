import { describe, expect, it } from 'vitest';
import { playbackStart } from '../../../../../server/video/terminals/jt1078/jt1078Terminal.ts';
import type { ListedRecording } from '../../../../../server/video/terminals/jt1078/signalling.ts';
import { captureFacts, captureNeeded, hasCapture } from '../../../../support/jt1078Packets.ts';
import { captureSpanMs, from_ms, terminalFixture } from './terminalBench.ts';

const order = { channel: 3, from_ms, to_ms: from_ms + 60_000, offsetMin: 480, margin_ms: 15_000 };
const inChinaMs = 480 * 60_000;

function beginning(stamp_ms: number, afterFirstMs = 0) {
  return { stamp_ms, afterFirstMs: afterFirstMs, length_ms: 50_000 };
}

function listed(begin_ms: number, channel = 3): ListedRecording {
  return {
    channel,
    from_ms: begin_ms,
    to_ms: begin_ms + 600_000,
    stream: null,
    alarm: false,
    size_bytes: null,
  };
}

describe('the first frame of a clip', () => {
  it('the first frame of a clip was recorded at its stamp, in UTC or by the terminal’s clock', () => {
    expect(playbackStart(beginning(from_ms + 7_300), [], order)).toBe(from_ms + 7_300);
    expect(playbackStart(beginning(from_ms - 2_000 + inChinaMs), [], order)).toBe(from_ms - 2_000);
  });

  it('the first frame of a clip was recorded at its stamp, whatever the list says', () => {
    expect(playbackStart(beginning(from_ms + 7_300), [listed(from_ms + 9_000)], order)).toBe(from_ms + 7_300);
  });

  it('the first frame of a clip begins with the earliest recording of its channel where stamps count from anywhere', () => {
    const list = [listed(from_ms + 30_000), listed(from_ms + 20_000), listed(from_ms, 2)];
    expect(playbackStart(beginning(123), list, order)).toBe(from_ms + 20_000);
  });

  it('the first frame of a clip begins at the moment asked for where the recording began before it', () => {
    expect(playbackStart(beginning(123), [listed(from_ms - 300_000)], order)).toBe(from_ms);
  });

  it('the first frame of a clip comes after frames that could not be decoded', () => {
    expect(playbackStart(beginning(123, 1_800), [listed(from_ms - 300_000)], order)).toBe(from_ms + 1_800);
  });

  it('the first frame of a clip has no known time without a list and with stamps from elsewhere', () => {
    expect(playbackStart(beginning(123), [], order)).toBeNull();
    expect(playbackStart(beginning(123), [listed(from_ms - 900_000)], order)).toBeNull();
    // The clock of the playback, not of the recording: the clip would end long after the requested period.
    expect(playbackStart(beginning(order.to_ms - 1_000), [], order)).toBeNull();
  });

  it('the first frame of a clip is not dated by a stamp that fits in both clocks', () => {
    const near = { ...order, to_ms: from_ms + 600_000, offsetMin: 5 };
    expect(playbackStart(beginning(from_ms + 310_000), [], near)).toBeNull();
  });
});

describe.skipIf(!hasCapture)(`a clip of a terminal${captureNeeded}`, () => {
  it('a clip of a terminal begins when the terminal’s own clock says so', async () => {
    const { terminal, order: ask, connect } = await terminalFixture();
    await connect();
    const rendered_ms = captureFacts().timestamp_first - inChinaMs;
    const asked_ms = rendered_ms - (rendered_ms % 1_000) - 3_000;
    const span = { from_ms: asked_ms, to_ms: asked_ms + captureSpanMs };
    expect(await terminal.fetchFragment(ask(span))).toBe(rendered_ms);
  });

  it('a clip of a terminal begins with the recording that the terminal lists', async () => {
    const { terminal, order: ask, connect } = await terminalFixture();
    const begun_ms = from_ms + 4_000;
    const recording = { channel: 3, from_ms: begun_ms, to_ms: from_ms + captureSpanMs };
    await connect({ recordings: [{ ...recording, stream: 2, alarm: 0n, size: 0 }] });
    expect(await terminal.fetchFragment(ask())).toBe(begun_ms);
  });

  it('a clip of a terminal begins at an unknown time where the terminal lists nothing', async () => {
    const { terminal, order: ask, connect } = await terminalFixture();
    await connect({ answers: 'nothing' });
    expect(await terminal.fetchFragment(ask())).toBeNull();
  });
});
