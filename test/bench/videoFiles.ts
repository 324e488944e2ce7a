import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { vehicleRoutes } from '../../server/contract/vehicles.ts';
import { videoRoutes } from '../../server/contract/video.ts';
import { smallMp4 } from '../server/video/media/sampleVideos.ts';
import { startBenchHost, type BenchHost } from './benchHost.ts';
import { peakMemory } from './peakMemory.ts';
import { rangeLoad } from './rangeLoad.ts';

const fileBytes = 200_000_000;
const mebibyte = 1_048_576;
/** What a player asks for, and what one asks for that seeks a lot. */
const rangeSizes = [4 * mebibyte, mebibyte];
const clients = 10;
const rounds = 4;
const roundSeconds = 1.5;

/** A large video sent by ranges, beside Express's own sending of the same file. */
export async function benchVideoFiles(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fleetdeck-bench-'));
  const host = await startBenchHost(1);
  try {
    const clipFile = await largeClip(folder);
    const task_id = await fetched(host, clipFile);
    await writeFile(join(folder, 'clip.mp4'), clipFile);
    const bare = createServer(express().use(express.static(folder))).listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const ours = {
      url: `${host.url}/service/vsvc/api/tasks/file/${task_id}`,
      headers: { Authorization: `JWT ${host.dealer.jwt}` },
    };
    const theirs = { url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/clip.mp4`, headers: {} };
    console.log(`video file: ${fileBytes / 1e6} MB, ${clients} clients, ${rounds * roundSeconds} s each`);
    for (const rangeBytes of rangeSizes) {
      const asked = { clients, fileBytes: clipFile.length, rangeBytes, seconds: roundSeconds };
      emit(rangeBytes, await inTurns({ ...asked, ...ours }, { ...asked, ...theirs }));
    }
    bare.close();
  } finally {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Load = Parameters<typeof rangeLoad>[0];

interface Rates {
  /** Bytes a second. */
  ours: number;
  theirs: number;
  growthMb: number;
}

/** So that what else the machine does falls on both; the first round only warms up. */
async function inTurns(ours: Load, theirs: Load): Promise<Rates> {
  const rates = { ours: 0, theirs: 0, growthMb: 0 };
  for (let round = 0; round <= rounds; round++) {
    const { result, growthMb } = await peakMemory(() => rangeLoad(ours));
    const bareRate = await rangeLoad(theirs);
    if (round === 0) continue;
    rates.ours += result / rounds;
    rates.theirs += bareRate / rounds;
    rates.growthMb = Math.max(rates.growthMb, growthMb);
  }
  return rates;
}

function emit(rangeBytes: number, { ours, theirs, growthMb }: Rates): void {
  const mb = (rate: number) => (rate / 1e6).toFixed(0);
  console.log(`  by ranges of ${rangeBytes / mebibyte} MiB`);
  console.log(`    ours                 ${mb(ours)} MB/s, memory +${growthMb.toFixed(0)} MB at the most`);
  console.log(`    express.static       ${mb(theirs)} MB/s`);
  console.log(`    ratio                ${(ours / theirs).toFixed(2)}`);
}

/** A short clip with a box behind it that players skip. */
async function largeClip(folder: string): Promise<Buffer> {
  const clip = await readFile(await smallMp4(folder));
  const filler = Buffer.alloc(fileBytes - clip.length);
  filler.writeUInt32BE(filler.length);
  filler.write('free', 4);
  return Buffer.concat([clip, filler]);
}

/** The clip as a task that is done, fetched from a camera; returns the task's id. */
async function fetched({ dealer, terminals }: BenchHost, clipFile: Buffer): Promise<string> {
  const camera = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': clipFile.length }).end(clipFile);
  }).listen(0, '127.0.0.1');
  await once(camera, 'listening');
  try {
    const [vehicle = ''] = terminals;
    const { vehicle_id } = await dealer.ask(vehicleRoutes.get, { params: { vehicle } });
    const { profile_id } = await dealer.ask(videoRoutes.createProfile, {
      body: {
        vehicle_id,
        kind: 'http',
        channels: [{ channel: 1, name: 'Front' }],
        connection: { url: `http://127.0.0.1:${(camera.address() as AddressInfo).port}/` },
      },
    });
    const at = (ms: number) => new Date(Date.now() - ms).toISOString();
    const body = { profile_id, channel: 1, from: at(60_000), to: at(50_000) };
    const { task_id } = await dealer.ask(videoRoutes.createTask, { body });
    for (;;) {
      const task = await dealer.ask(videoRoutes.getTask, { params: { task_id }, query: { wait: 20 } });
      if (task.status === 'done') return task_id;
      if (task.error !== null) throw new Error(task.error.detail);
    }
  } finally {
    camera.close();
  }
}
