import { open, readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFastStart, readTopBoxes } from '../../../../../server/video/media/boxes.ts';
import { createMp4Service } from '../../../../../server/video/media/mp4Service.ts';
import { captureFacts, captureNeeded, hasCapture } from '../../../../support/jt1078Packets.ts';
import { readBack } from '../../media/sampleVideos.ts';
import { has, run, terminalFixture } from './terminalBench.ts';

describe.skipIf(!hasCapture)(`a real terminal's stream${captureNeeded}`, () => {
  it("a real terminal's stream goes over the wire and comes out as an MP4 with every frame at its time", async () => {
    const { terminal, order, output, connect } = await terminalFixture();
    const media = createMp4Service();
    onTestFinished(() => media.close());
    const fake = await connect();
    const shares: number[] = [];
    await terminal.fetchFragment(order({ onProgress: (share) => shares.push(share) }));
    const finished = `${output}.mp4`;
    const facts = await media.finish({
      input: output,
      output: finished,
      signal: new AbortController().signal,
    });

    const said = captureFacts();
    expect(facts).toMatchObject({ width: 352, height: 288, content_type: 'video/mp4' });
    expect(facts.codec).toMatch(/^avc1\.4d/i);
    const { times, keyTimes, width, height } = await readBack(finished);
    expect({ frames: times.length, width, height }).toEqual({
      frames: said.video_frames,
      width: 352,
      height: 288,
    });
    const ms = (seconds: number) => Math.round(seconds * 1000);
    expect(keyTimes.map(ms)).toEqual(said.i_frames.map((it) => it.timestamp - said.timestamp_first));
    expect(times.slice(0, 5).map(ms)).toEqual(
      said.first_frames.map((it) => it.timestamp - said.timestamp_first),
    );
    expect(ms(times.at(-1) ?? 0)).toBe(said.timestamp_last - said.timestamp_first);

    const file = await open(finished);
    onTestFinished(() => file.close());
    expect(isFastStart(await readTopBoxes(file, (await file.stat()).size))).toBe(true);
    expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share <= 1)).toBe(true);
    expect(shares).toHaveLength(said.video_frames);

    const playback = await fake.nextPlayback();
    expect(playback).toMatchObject({ address: '127.0.0.1', channel: 3, stream: 2 });
    expect([playback.from, playback.to]).toEqual(['261121124300', '261121124450']);
    await playback.ended;
    await playback.over;
  });

  it.skipIf(!has('ffprobe'))(
    `a real terminal's stream is decoded whole by ffmpeg${has('ffprobe') ? '' : ' (skipped: ffprobe is not here)'}`,
    async () => {
      const { terminal, order, output, connect } = await terminalFixture();
      const media = createMp4Service();
      onTestFinished(() => media.close());
      await connect();
      await terminal.fetchFragment(order());
      const finished = `${output}.mp4`;
      await media.finish({ input: output, output: finished, signal: new AbortController().signal });
      const probe = (path: string) =>
        run('ffprobe', [
          ...['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-of', 'csv=p=0'],
          ...['-show_entries', 'stream=codec_name,profile,width,height,nb_read_frames', path],
        ])
          .toString()
          .trim();
      expect(probe(finished)).toBe('h264,Main,352,288,931');
      // Also as it was written while it came.
      expect(probe(output)).toBe('h264,Main,352,288,931');
      // Rejects the least error.
      run('ffmpeg', ['-v', 'error', '-xerror', '-i', finished, '-f', 'null', '-']);
      expect((await readFile(finished)).length).toBeGreaterThan(800_000);
    },
  );
});
