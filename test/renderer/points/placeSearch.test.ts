import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { MapListState } from '../../../renderer/mapFiles/mapList.ts';
import { createPlaceSearch, partsOfFound } from '../../../renderer/points/placeSearch.ts';
import type { FoundPlace } from '../../../server/contract/places.ts';
import type { Map as MapFile } from '../../../server/contract/maps.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

const streets = { kind: 'streets', shown: true } as MapFile;
const andorra = { lat: 42.5, lon: 1.5 };

const found = (text: string): FoundPlace => ({
  kind: 'street',
  name: text.split(', ')[0] ?? '',
  town: text.split(', ')[1] ?? null,
  text,
  lat: 42.51,
  lon: 1.54,
});
const meritxell = found('Avinguda Meritxell, Andorra la Vella');

interface Query {
  q: string;
  lat?: number;
  lon?: number;
}

function open({ maps = [streets], near = andorra }: { maps?: MapFile[]; near?: typeof andorra | null } = {}) {
  const clock = createFakeClock();
  const calls: {
    query: Query;
    signal: AbortSignal;
    answer: (items: FoundPlace[]) => void;
    fail: () => void;
  }[] = [];
  const api = {
    request: (_route: unknown, { query, signal }: { query: Query; signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('the network is gone'));
        calls.push({ query, signal, answer: (items) => resolve({ items }), fail });
      }),
  };
  const mapList = {
    store: createStore<MapListState>(() => ({ maps, version: 1, load: { phase: 'ready' } })),
  };
  const search = createPlaceSearch({ api: api as never, clock, mapList, near: () => near });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const texts = () => search.store.getState().places.map(({ text }) => text);
  return { search, clock, calls, settle, texts, phase: () => search.store.getState().phase };
}

describe('the search for places', () => {
  it('a long link of a map is read whole, without a call', () => {
    const { search, calls, texts } = open();
    search.want(`https://maps.example/maps/place/${'Depot+'.repeat(80)}/data=!3d42.5078!4d1.5251`);
    expect(texts()).toEqual(['42.50780, 1.52510']);
    expect(calls).toEqual([]);
  });

  it('one call is made for a word that is typed letter by letter', () => {
    const { search, clock, calls, phase } = open();
    for (const typed of ['av', 'av m', 'av me', 'av mer']) {
      search.want(typed);
      clock.advance(119);
    }
    expect(calls).toEqual([]);
    expect(phase()).toBe('searching');
    clock.advance(1);
    expect(calls.map(({ query }) => query)).toEqual([{ q: 'av mer', limit: 8, ...andorra }]);
  });

  it('a slow typist makes at most two calls a second, and the former call is given up', () => {
    const { search, clock, calls } = open();
    const typed = 'avinguda meritxell, andorra la vella';
    for (let letters = 1; letters <= typed.length; letters++) {
      search.want(typed.slice(0, letters));
      clock.advance(200);
    }
    expect(calls.length).toBeLessThanOrEqual((typed.length * 200) / 500 + 1);
    expect(calls.slice(0, -1).every(({ signal }) => signal.aborted)).toBe(true);
  });

  it('an answer to what is no longer typed is dropped', async () => {
    const { search, clock, calls, settle, texts, phase } = open();
    search.want('meri');
    clock.advance(120);
    search.want('xeix');
    calls[0]?.answer([meritxell]);
    await settle();
    expect([phase(), texts()]).toEqual(['searching', []]);
  });

  it('places that still fit stay while the next answer is awaited', async () => {
    const { search, clock, calls, settle, texts, phase } = open();
    search.want('merit');
    clock.advance(120);
    calls[0]?.answer([meritxell, found('Plaça de Mérit, Encamp')]);
    await settle();
    search.want('meritxell');
    expect([phase(), texts()]).toEqual(['searching', [meritxell.text]]);
  });

  it('coordinates are understood at once, without a call and without a map', () => {
    const { search, clock, calls, texts, phase } = open({ maps: [], near: null });
    const dms = '42°30′28″ N 1°31′30″ E';
    for (const [typed, text] of [
      ['42.5078, 1.5251', '42.50780, 1.52510'],
      [dms, '42.50778, 1.52500'],
      ['8FJ3GG5G+42', '42.50781, 1.52506'],
    ] as const) {
      search.want(typed);
      expect([phase(), texts()], typed).toEqual(['ready', [text]]);
    }
    clock.advance(10_000);
    expect(calls).toEqual([]);
  });

  it('a short Plus Code is completed by what the map shows', () => {
    const { search, texts } = open();
    search.want('GG5G+42');
    expect(texts()).toEqual(['42.50781, 1.52506']);
  });

  it('nothing is asked without a street map that is shown, nor for one letter', () => {
    for (const maps of [[], [{ ...streets, shown: false }], [{ ...streets, kind: 'imagery' as const }]]) {
      const { search, clock, calls, phase } = open({ maps });
      search.want('meritxell');
      clock.advance(10_000);
      expect([calls.length, phase()]).toEqual([0, 'idle']);
    }
    const { search, clock, calls } = open();
    search.want(' m ');
    clock.advance(10_000);
    expect(calls).toEqual([]);
  });

  it('a search that failed is asked again with the next letter', async () => {
    const { search, clock, calls, settle, texts, phase } = open();
    search.want('merit');
    clock.advance(120);
    calls[0]?.fail();
    await settle();
    expect([phase(), texts()]).toEqual(['failed', []]);
    search.want('meritx');
    clock.advance(500);
    calls[1]?.answer([meritxell]);
    await settle();
    expect([phase(), texts()]).toEqual(['ready', [meritxell.text]]);
  });

  it('nothing is asked and nothing is shown after its end', async () => {
    const { search, clock, calls, settle, phase } = open();
    search.want('merit');
    search.stop();
    clock.advance(10_000);
    await settle();
    expect([calls.length, phase()]).toEqual([0, 'searching']);
  });
});

describe('the words of a place that were typed', () => {
  const marked = (name: string, typed: string) =>
    partsOfFound(name, typed)
      .map((part) => (part.typed ? `[${part.text}]` : part.text))
      .join('');

  it('words of its name are set apart, its town and words with an error are not', () => {
    expect(marked('Avinguda Meritxell', 'av meritxell')).toBe('[Av]inguda [Meritxell]');
    expect(marked('Avinguda Meritxell', 'meritxel, andorra')).toBe('Avinguda [Meritxel]l');
    expect(marked('Avinguda Meritxell', 'avinguda merixtell')).toBe('[Avinguda] Meritxell');
    expect(marked('Carrer Major 12', '12, major')).toBe('Carrer [Major] [12]');
    expect(marked('Carrer Major', 'xyz')).toBe('Carrer Major');
  });
});
