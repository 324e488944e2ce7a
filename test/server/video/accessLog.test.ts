import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemoryStore } from '../../../server/store/memoryStore.ts';
import { createAccessLog } from '../../../server/video/accessLog.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { smallClip } from './media/sampleVideos.ts';
import { addProfile, api, order, startVideoFixture, startCamera, videoAnswer } from './videoBench.ts';

const minute = 60_000;
const log = pino({ level: 'silent' });

function accessLog(isFull: () => boolean = () => false) {
  const clock = createFakeClock();
  const store = openMemoryStore(clock);
  const saveAccess: typeof store.saveAccess = (rows) =>
    isFull() ? Promise.reject(new Error('full')) : store.saveAccess(rows);
  const accesses = createAccessLog({
    store: { ...store, saveAccess },
    loginOf: (id) => (id === 'gone' ? null : `login of ${id}`),
    clock,
    log,
  });
  return { clock, accesses };
}

describe('the access log', () => {
  it('the access log counts what one user reads of one video within ten minutes once', async () => {
    const { clock, accesses } = accessLog();
    const begin = clock.now();
    accesses.read('a', 'u');
    clock.advance(10 * minute - 1);
    accesses.read('a', 'u');
    accesses.read('b', 'u');
    accesses.read('a', 'gone');
    clock.advance(1);
    accesses.read('a', 'u');
    accesses.exported(['a', 'b'], 'u');
    accesses.exported(['a'], 'u');
    expect(
      (await accesses.of('a')).map(({ login, action, at }) => [login, action, Date.parse(at) - begin]),
    ).toEqual([
      ['login of u', 'exported', 10 * minute],
      ['login of u', 'exported', 10 * minute],
      ['login of u', 'read', 10 * minute],
      [null, 'read', 10 * minute - 1],
      ['login of u', 'read', 0],
    ]);
    expect(await accesses.of('b')).toHaveLength(2);
  });

  it('the access log tries again with the next reading what the store did not take', async () => {
    let fails = true;
    const { accesses } = accessLog(() => fails);
    accesses.read('a', 'u');
    expect(await accesses.of('a')).toEqual([]);
    fails = false;
    accesses.read('a', 'u');
    expect(await accesses.of('a')).toHaveLength(1);
    await accesses.close();
  });
});

describe('the access log of a task’s file', () => {
  let clip: Buffer;
  beforeAll(async () => {
    clip = await smallClip();
  });

  it('the access log of a task’s file has an entry when bytes are sent from the first one on, and only then', async () => {
    const camera = await startCamera(videoAnswer(clip));
    const bench = await startVideoFixture();
    const { task_id } = await order(bench, await addProfile(bench, { url: camera.url }));
    const { file } = await bench.until(task_id, 'done');
    const url = `${bench.url}${api}/tasks/file/${task_id}`;
    const get = async (name: string, headers: Record<string, string> = {}, method = 'GET') => {
      await (
        await fetch(url, { method, headers: { Authorization: `JWT ${name}`, ...headers } })
      ).arrayBuffer();
      return (await bench.as('reader').get(`${api}/tasks/${task_id}/access`)).body.items as unknown[];
    };
    expect(await get('reader', {}, 'HEAD')).toEqual([]);
    expect(await get('reader', { 'If-None-Match': `"${file?.sha256 ?? ''}"` })).toEqual([]);
    expect(await get('outsider')).toEqual([]);
    // All but the first byte is as good as all.
    expect(await get('reader', { Range: 'bytes=1-' })).toMatchObject([{ login: 'reader', action: 'read' }]);
    expect(await get('reader')).toHaveLength(1);
    bench.clock.advance(1_000);
    expect(await get('dealer')).toMatchObject([
      { login: 'dealer', action: 'read', at: new Date(bench.clock.now()).toISOString() },
      { login: 'reader', action: 'read' },
    ]);
    expect((await bench.as('outsider').get(`${api}/tasks/${task_id}/access`)).status).toBe(404);
  });
});
