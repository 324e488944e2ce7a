import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ALL_FORMATS,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
} from 'mediabunny';
import { createMp4Service, type Mp4Service } from '../../server/video/media/mp4Service.ts';
import { hasRealClip, REAL_CLIP, smallMp4 } from '../server/video/media/sampleVideos.ts';
import { peakMemory } from './peakMemory.ts';

/** How cameras send what they recorded: a stream, and a file that they closed at its end. */
const formats = {
  'MPEG-TS': () => new MpegTsOutputFormat(),
  'MP4 with its index at the end': () => new Mp4OutputFormat({ fastStart: false }),
};
type FormatName = keyof typeof formats;

const recordings: { format: FormatName; minutes: number }[] = [
  { format: 'MPEG-TS', minutes: 3 },
  { format: 'MPEG-TS', minutes: 30 },
  { format: 'MP4 with its index at the end', minutes: 3 },
  { format: 'MP4 with its index at the end', minutes: 30 },
];

/** A recording made an MP4 to be kept: how fast, and that its length takes no memory; beside a plain copy. */
export async function benchRemuxing(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const media = createMp4Service();
  try {
    const source = hasRealClip ? REAL_CLIP : await smallMp4(folder);
    console.log(`remux: ${hasRealClip ? 'a real recording' : 'a clip of ours'}, over and over`);
    // The worker's start and its code warm up on a file that is not counted.
    await finish(media, await recording(source, 'MPEG-TS', 0.2, folder), join(folder, 'warm.mp4'));
    for (const { format, minutes } of recordings) {
      const input = await recording(source, format, minutes, folder);
      const mb = (await stat(input)).size / 1e6;
      const copy_s = await timed(() => copySynced(input, join(folder, 'copy')));
      const before = process.cpuUsage();
      const { result: ours_s, growthMb } = await peakMemory(() =>
        timed(() => finish(media, input, join(folder, 'out.mp4'))),
      );
      const { user, system } = process.cpuUsage(before);
      const cpu_s = (user + system) / 1e6;
      console.log(`  ${format}, ${minutes} min, ${mb.toFixed(0)} MB`);
      console.log(
        `    ours                 ${(mb / ours_s).toFixed(0)} MB/s, memory +${growthMb.toFixed(0)} MB at the most`,
      );
      console.log(`    of processor time    ${(mb / cpu_s).toFixed(0)} MB/s, whatever else the machine does`);
      console.log(`    a copy, synced       ${(mb / copy_s).toFixed(0)} MB/s`);
      console.log(`    ratio                ${(copy_s / ours_s).toFixed(2)}`);
      await rm(input);
    }
  } finally {
    await media.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function finish(media: Mp4Service, input: string, output: string): Promise<void> {
  await media.finish({ input, output, signal: new AbortController().signal });
}

async function copySynced(input: string, output: string): Promise<void> {
  await copyFile(input, output);
  const file = await open(output, 'r+');
  await file.sync();
  await file.close();
}

async function timed(run: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await run();
  return (performance.now() - begun) / 1_000;
}

/** The pictures of a clip, one run after the other, for so many minutes. */
async function recording(clip: string, format: FormatName, minutes: number, folder: string): Promise<string> {
  const path = join(folder, 'recording');
  const input = new Input({ source: new FilePathSource(clip), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const codec = await track?.getCodec();
  const decoderConfig = await track?.getDecoderConfig();
  if (track === null || codec === null || codec === undefined) throw new Error('the clip has no pictures');
  const output = new Output({ format: formats[format](), target: new FilePathTarget(path) });
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source);
  await output.start();
  const runS = await track.computeDuration();
  for (let at = 0; at < minutes * 60; at += runS) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(
        packet.clone({ timestamp: packet.timestamp + at }),
        decoderConfig === null || decoderConfig === undefined ? undefined : { decoderConfig },
      );
    }
  }
  await output.finalize();
  input.dispose();
  return path;
}
