import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mp4OutputFormat, MpegTsOutputFormat } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsFields } from '../../../../server/contract/settings.ts';
import { createMp4Service } from '../../../../server/video/media/mp4Service.ts';
import { createHttpTerminal, cameraTimeouts } from '../../../../server/video/terminals/httpTerminal.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { byteStream, takeApart } from '../media/rawSamples.ts';
import { readBack, rewrapped, smallMp4 } from '../media/sampleVideos.ts';
import { startCamera, videoAnswer } from '../videoBench.ts';

const media = createMp4Service();
let folder: string;
const files = new Map<string, Buffer>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-'));
  const small = await smallMp4(folder);
  const source = await takeApart(small);
  const as = async (format: Mp4OutputFormat | MpegTsOutputFormat) =>
    await readFile(await rewrapped(small, format, join(folder, 'again')));
  files.set('MP4', await readFile(small));
  files.set('MP4 in fragments', await as(new Mp4OutputFormat({ fastStart: 'fragmented' })));
  files.set('MPEG-TS', await as(new MpegTsOutputFormat()));
  files.set('raw H.264', byteStream(source, source.pictures));
});
afterAll(async () => {
  await media.close();
  await rm(folder, { recursive: true });
});

describe('an HTTP camera that hands out', () => {
  it.each(['MP4', 'MP4 in fragments', 'MPEG-TS', 'raw H.264'])(
    '%s gives an MP4 of the period',
    async (format) => {
      const camera = await startCamera(videoAnswer(files.get(format) ?? Buffer.alloc(0)));
      const terminal = createHttpTerminal({
        ...cameraTimeouts,
        isOwnAddress: () => false,
        clock: createFakeClock(),
        settings: () => settingsFields.parse({}),
        checkQuota: () => Promise.resolve(),
      });
      const input = join(folder, 'fragment.part');
      const output = join(folder, 'fragment.mp4');
      const { signal } = new AbortController();
      const received: (number | undefined)[] = [];
      await terminal.fetchFragment({
        vehicle_id: 'vehicle',
        terminal_id: 'terminal',
        channel: { channel: 1, name: 'Front' },
        from_ms: 1_000,
        to_ms: 5_000,
        connection: { url: `${camera.url}/{from_unix}-{to_unix}` },
        secret: null,
        output: input,
        signal,
        onProgress: (_share, bytes) => received.push(bytes?.received),
      });
      expect(camera.requests).toEqual(['GET /1-5']);
      expect(received.at(-1)).toBe(files.get(format)?.length);
      expect(await media.finish({ input, output, signal, expected_s: 4 })).toMatchObject({
        duration_s: 4,
        width: 512,
      });
      const { times } = await readBack(output);
      expect(times).toHaveLength(16);
      times.forEach((time, i) => expect(time).toBeCloseTo(i / 4, 4));
    },
  );
});
