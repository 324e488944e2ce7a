import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const encoder = 'ffmpeg';
const prober = 'ffprobe';

/** An encoder and judge that is not ours. */
export const hasFfmpeg =
  spawnSync(encoder, ['-version']).status === 0 && spawnSync(prober, ['-version']).status === 0;
export const unlessFfmpeg = hasFfmpeg ? '' : ' (skipped: ffmpeg is not there)';

/** A moving picture of 160 × 120 with 25 frames/s, and a tone. */
export const testPicture = (seconds: number, rate = 25) => [
  ...['-f', 'lavfi', '-i', `testsrc=size=160x120:rate=${rate}:duration=${seconds}`],
  ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
];

export async function ffmpeg(...args: string[]): Promise<void> {
  await run(encoder, ['-nostdin', '-loglevel', 'error', '-y', ...args]);
}

/** What each decoded picture looks like, in the order of showing. */
export async function shownPictures(path: string): Promise<string[]> {
  const args = ['-nostdin', '-loglevel', 'error', '-i', path, '-map', '0:v'];
  const { stdout } = await run(encoder, [...args, '-fps_mode', 'passthrough', '-f', 'framemd5', '-']);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}

export interface ProbedPacket {
  pts: number;
  dts: number;
  isKey: boolean;
}

/** Packets of a kind as an independent reader sees them, in the order of decoding; times in seconds. */
export async function probe(path: string, kind: 'v' | 'a' = 'v'): Promise<ProbedPacket[]> {
  const entries = ['-select_streams', kind, '-show_entries', 'packet=pts_time,dts_time,flags'];
  const { stdout } = await run(prober, ['-v', 'error', ...entries, '-of', 'json', path]);
  const { packets } = JSON.parse(stdout) as {
    packets: { pts_time: string; dts_time: string; flags: string }[];
  };
  return packets.map((it) => ({
    pts: Number(it.pts_time),
    dts: Number(it.dts_time),
    isKey: it.flags.startsWith('K'),
  }));
}

/** The name under which the picture stands in an MP4, e.g. `hvc1`. */
export async function pictureTag(path: string): Promise<string> {
  const entries = ['-select_streams', 'v', '-show_entries', 'stream=codec_tag_string'];
  const { stdout } = await run(prober, ['-v', 'error', ...entries, '-of', 'csv=p=0', path]);
  return stdout.trim();
}

export function neverGoesBack(packets: readonly ProbedPacket[]): boolean {
  return packets.every((it, i) => it.dts >= (packets[i - 1]?.dts ?? -Infinity));
}
