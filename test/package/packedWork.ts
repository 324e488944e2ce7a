import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { z } from 'zod';
import { position } from '../../server/contract/positions.ts';
import { task, type Task } from '../../server/contract/video.ts';
import { profile } from '../../server/contract/videoProfiles.ts';
import { readPdf } from '../support/readPdf.ts';
import type { Caller } from '../support/testHost.ts';
import type { PackedHost } from './packedApp.ts';

/** Adds a vehicle with this terminal and sends a position of it. */
export async function takesInPositions(host: PackedHost, caller: Caller, terminal: string): Promise<void> {
  const vehicle = { terminal_id: terminal, name: 'Packed van 北京 מספר', plate: 'PV 1' };
  expect((await caller.post('/api/v1/vehicles', vehicle)).status).toBe(201);
  const seconds = Math.floor(Date.now() / 1_000);
  const query = `id=${terminal}&lat=52.5&lon=13.4&speed=10&timestamp=${seconds}`;
  expect(await statusOf(`http://127.0.0.1:${host.osmandPort}/?${query}`)).toBe(200);
  const latest = await caller.get('/api/v1/positions/latest');
  const { positions } = z.object({ positions: z.array(position) }).parse(latest.body);
  expect(positions).toMatchObject([{ terminal_id: terminal, lat: 52.5, lon: 13.4 }]);
}

/** Prints a report about the vehicle in fonts of the bundle, and writes it as a workbook. */
export async function printsReports(host: PackedHost, caller: Caller): Promise<void> {
  const day = (ms: number) => new Date(Date.now() + ms).toISOString();
  const reportOf = async (format: string) => {
    const query = new URLSearchParams({ from: day(-86_400_000), to: day(3_600_000), format });
    const response = await fetch(`${host.url}/api/v1/reports/summary?${query.toString()}`, {
      headers: { Authorization: `JWT ${caller.jwt}` },
    });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const pages = await readPdf(await reportOf('pdf'));
  expect(pages.flat().join('\n')).toContain('Packed van 北京 מספר');
  expect((await reportOf('xlsx')).toString('latin1', 0, 2)).toBe('PK');
}

/** Orders a clip of a simulated camera and reads it. */
export async function rendersClips(host: PackedHost, caller: Caller, terminal: string): Promise<void> {
  const made = await caller.post('/service/vsvc/api/profiles', {
    terminal_id: terminal,
    kind: 'simulated',
    channels: [{ channel: 1, name: 'Road' }],
  });
  const { profile_id } = profile.parse(made.body);
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const order = { profile_id, channel: 1, from: ago(20), to: ago(16) };
  const ordered = task.parse((await caller.post('/service/vsvc/api/tasks', order)).body);
  const { file } = await finished(caller, ordered);

  const response = await fetch(`${host.url}/service/vsvc/api/tasks/file/${ordered.task_id}`, {
    headers: { Authorization: `JWT ${caller.jwt}` },
  });
  expect(response.headers.get('content-type')).toBe('video/mp4');
  const clip = Buffer.from(await response.arrayBuffer());
  expect(clip.toString('latin1', 4, 8)).toBe('ftyp');
  expect(clip.length).toBe(file?.size_bytes);
  expect(createHash('sha256').update(clip).digest('hex')).toBe(file?.sha256);
}

async function finished(caller: Caller, ordered: Task): Promise<Task> {
  let now = ordered;
  while (['queued', 'waiting', 'downloading', 'processing'].includes(now.status)) {
    const answer = await caller.get(`/service/vsvc/api/tasks/${now.task_id}?wait=20`);
    now = task.parse(answer.body);
  }
  expect(now).toMatchObject({ status: 'done', error: null });
  return now;
}

/** As a tracker asks: fetch would bear the marks of a browser, which the intake turns away. */
export async function statusOf(url: string): Promise<number | undefined> {
  const answered: unknown[] = await once(get(url), 'response');
  const [response] = answered as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
