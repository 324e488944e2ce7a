import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  ALL_FORMATS,
  Conversion,
  FilePathSource,
  FilePathTarget,
  Input,
  EncodedPacketSink,
  Output,
} from 'mediabunny';
import type { OutputFormat } from 'mediabunny';
import { renderClip } from '../../../../server/video/simulation/renderClip.ts';

/** A real recording that may lie beside the project: 221 frames, 8.84 s, 960 × 540, with sound. */
export const REAL_CLIP = resolve(
  import.meta.dirname,
  '../../../../../shared/data/video/road-solid-white-right.mp4',
);
export const hasRealClip = existsSync(REAL_CLIP);

/** A small MP4 with the index in front: 16 frames, 4 s, key frames at 0 and 2 s. */
export async function smallMp4(folder: string): Promise<string> {
  const output = join(folder, 'small.mp4');
  const order = {
    vehicle: { name: 'V 1', plate: 'AB1' },
    channel: { channel: 1, name: 'Front' },
    fromMs: Date.UTC(2026, 5, 1, 12),
    toMs: Date.UTC(2026, 5, 1, 12, 0, 4),
    fps: 4,
    positions: [],
    output,
  };
  await renderClip(order, () => undefined);
  return output;
}

/** The bytes of that clip. */
export async function smallClip(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'clip-'));
  try {
    return await readFile(await smallMp4(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same packets in another container or layout. */
export async function rewrapped(path: string, format: OutputFormat, to: string): Promise<string> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const output = new Output({ format, target: new FilePathTarget(to) });
  const conversion = await Conversion.init({ input, output, showWarnings: false });
  await conversion.execute();
  input.dispose();
  return to;
}

/** What a player would learn from the container alone. */
export async function readBack(path: string) {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const video = await input.getPrimaryVideoTrack();
  if (video === null) throw new Error('no video track');
  const times: number[] = [];
  const keyTimes: number[] = [];
  let endS = 0;
  for await (const packet of new EncodedPacketSink(video).packets()) {
    times.push(packet.timestamp);
    if (packet.type === 'key') keyTimes.push(packet.timestamp);
    endS = Math.max(endS, packet.timestamp + packet.duration);
  }
  const facts = {
    times,
    keyTimes,
    endS,
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    audioTracks: (await input.getAudioTracks()).length,
  };
  input.dispose();
  return facts;
}
