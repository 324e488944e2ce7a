import { parentPort } from 'node:worker_threads';
import { gunzipSync, gzipSync } from 'node:zlib';
import { uninterrupted } from '../../server/startWorker.ts';

const packed = gzipSync(Buffer.alloc(2_000, 'ab'));
parentPort?.postMessage('begun');
for (;;) uninterrupted(() => gunzipSync(packed));
