import { createServer, type RequestListener } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

/** A real recording that may lie beside the project: 8.84 s of motorway, with sound. */
const REAL_CLIP = resolve(import.meta.dirname, '../../../shared/data/video/road-solid-white-right.mp4');
export const hasRealClip = existsSync(REAL_CLIP);

export interface Camera {
  /** As a video profile takes it. */
  url: string;
  /** What was asked for. */
  asked: string[];
  close(): Promise<void>;
}

/** A camera of the network: a local HTTP server that answers so. */
export async function startCamera(answer: RequestListener): Promise<Camera> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/record?channel={channel}&from={from}&to={to}`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export async function clipAnswer(): Promise<RequestListener> {
  const clip = await readFile(REAL_CLIP);
  return (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': clip.length });
    response.end(clip);
  };
}
