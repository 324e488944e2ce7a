import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../renderer/api/errors.ts';
import { createPagedList } from '../../../renderer/events/pagedList.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

interface Item {
  id: string;
  time: string;
  word?: string;
}

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12) + minute * 60_000).toISOString();
const item = (minute: number, word = 'x'): Item => ({ id: `i${minute}`, time: at(minute), word });

/** A server of so many items, the newest first, in pages of so many. */
function setUp({
  count,
  page,
  accepts = () => true,
}: {
  count: number;
  page: number;
  accepts?: (it: Item) => boolean;
}) {
  const all = Array.from({ length: count }, (_, index) => item(count - index));
  const asked: (string | undefined)[] = [];
  let failure: Error | null = null;
  const list = createPagedList<Item>({
    clock: createFakeClock(),
    idOf: (it) => it.id,
    timeOf: (it) => it.time,
    accepts,
    read(cursor) {
      asked.push(cursor);
      if (failure !== null) return Promise.reject(failure);
      const from = Number(cursor ?? 0);
      const next = from + page < count ? String(from + page) : null;
      return Promise.resolve({ items: all.slice(from, from + page), next_cursor: next });
    },
  });
  const settled = (rest: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        const state = list.store.getState();
        if (state.load.phase !== 'loading' && state.rest === rest) resolve();
        else setTimeout(look);
      };
      look();
    });
  const shown = () => list.store.getState().rows.map((row) => row.id);
  return { list, asked, settled, shown, fail: (error: Error | null) => (failure = error) };
}

describe('a list that is read page after page', () => {
  it('a list that is read page after page reads on at its end and knows when there is no more', async () => {
    const { list, settled, shown } = setUp({ count: 250, page: 100 });
    list.load();
    await settled('some');
    expect(shown()).toHaveLength(100);
    expect(shown()[0]).toBe('i250');
    list.more();
    await settled('some');
    list.more();
    await settled('none');
    expect(shown()).toHaveLength(250);
    expect(shown().at(-1)).toBe('i1');
  });

  it('a list that is read page after page asks once for what is on its way', async () => {
    const { list, asked, settled } = setUp({ count: 250, page: 100 });
    list.load();
    await settled('some');
    list.more();
    list.more();
    await settled('some');
    expect(asked).toEqual([undefined, '100']);
  });

  it('a list that is read page after page reads further until there is enough of what is looked for', async () => {
    const rare = (it: Item) => Number(it.id.slice(1)) % 10 === 0;
    const { list, asked, settled, shown } = setUp({ count: 2_000, page: 200, accepts: rare });
    list.load();
    await settled('some');
    expect(asked).toHaveLength(3);
    expect(shown()).toHaveLength(60);
  });

  it('a list that is read page after page pauses when much was looked through for nothing, and goes on when asked', async () => {
    const { list, asked, settled, shown } = setUp({
      count: 1_500,
      page: 100,
      accepts: (it) => it.id === 'i3',
    });
    list.load();
    await settled('paused');
    list.more();
    expect(asked).toHaveLength(10);
    list.more(true);
    await settled('none');
    expect(shown()).toEqual(['i3']);
  });

  it('a list that is read page after page keeps what it has when the rest cannot be read, and tries again when asked', async () => {
    const { list, settled, shown, fail } = setUp({ count: 150, page: 100 });
    list.load();
    await settled('some');
    fail(new Unreachable('down'));
    list.more();
    await settled('failed');
    expect(shown()).toHaveLength(100);
    fail(null);
    list.more();
    expect(list.store.getState().rest).toBe('failed');
    list.more(true);
    await settled('none');
    expect(shown()).toHaveLength(150);
  });
});

describe('an event of the stream', () => {
  it('an event of the stream waits beside the list until it is asked for, each thing once', async () => {
    const { list, settled, shown } = setUp({ count: 3, page: 100 });
    list.load();
    await settled('none');
    list.take(item(10));
    list.take(item(11));
    list.take(item(10, 'again'));
    expect(shown()).toEqual(['i3', 'i2', 'i1']);
    expect(list.store.getState().fresh.map((row) => row.id)).toEqual(['i11', 'i10']);
    list.showFresh();
    expect(shown()).toEqual(['i11', 'i10', 'i3', 'i2', 'i1']);
    expect(list.store.getState().rows[1]?.item.word).toBe('again');
    expect(list.store.getState().fresh).toEqual([]);
  });

  it('an event of the stream renews a row where it stands, though its time is another', async () => {
    const { list, settled, shown } = setUp({ count: 3, page: 100 });
    list.load();
    await settled('none');
    list.take({ id: 'i1', time: at(60), word: 'repeated' });
    expect(shown()).toEqual(['i3', 'i2', 'i1']);
    expect(list.store.getState().rows[2]).toMatchObject({ at: at(1), item: { word: 'repeated' } });
    expect(list.store.getState().fresh).toEqual([]);
  });

  it('an event that the stream reports as gone leaves the list, and does not wait beside it', async () => {
    const { list, settled, shown } = setUp({ count: 3, page: 100 });
    list.load();
    await settled('none');
    list.take(item(9));
    for (const id of ['i2', 'i9', 'unknown']) list.drop(id);
    expect(shown()).toEqual(['i3', 'i1']);
    expect(list.store.getState().fresh).toEqual([]);
  });

  it('an event of the stream is left alone when it is not what is looked for', async () => {
    const { list, settled } = setUp({ count: 3, page: 100, accepts: (it) => it.word === 'x' });
    list.load();
    await settled('none');
    list.take(item(10, 'y'));
    expect(list.store.getState().fresh).toEqual([]);
  });

  it('an event of the stream is left to its page when it is older than all that was read', async () => {
    const { list, settled } = setUp({ count: 250, page: 100 });
    list.load();
    await settled('some');
    list.take({ id: 'old', time: at(3) });
    expect(list.store.getState().fresh).toEqual([]);
  });

  it('an event of the stream is part of the list when it came while the first page was on its way', async () => {
    const { list, settled, shown } = setUp({ count: 2, page: 100 });
    list.load();
    list.take(item(9));
    await settled('none');
    expect(shown()).toEqual(['i9', 'i2', 'i1']);
  });

  it('a list that is read page after page, and stays open for long, is read anew to show what came', async () => {
    const { list, asked, settled, shown } = setUp({ count: 250, page: 100 });
    list.load();
    await settled('some');
    const many = Array.from({ length: 2_200 }, (_, index) => item(1_000 + index));
    for (const it of many) list.take(it);
    const { fresh } = list.store.getState();
    expect(fresh).toHaveLength(2_000);
    expect(fresh[0]?.id).toBe('i3199');
    const renewed = new Promise<void>((resolve) => {
      const stop = list.store.subscribe(({ rows }, before) => {
        if (rows === before.rows) return;
        stop();
        resolve();
      });
    });
    list.showFresh();
    await renewed;
    expect(asked).toEqual([undefined, undefined]);
    expect(shown()).toHaveLength(100);
    expect(list.store.getState().fresh).toEqual([]);
  });
});
