import { describe, expect, it } from 'vitest';
import { createResourceStore, olderByVersion } from '../../../renderer/resources/resourceStore.ts';

interface Thing {
  id: string;
  version: number;
}

const kind = { idOf: (it: Thing) => it.id, isOlder: olderByVersion };

describe('a store of resources', () => {
  it('keeps the newest state of each, however it came', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'a', version: 3 }]);
    things.listed([
      { id: 'a', version: 2 },
      { id: 'b', version: 1 },
    ]);
    expect([...things.store.getState().byId.values()]).toEqual([
      { id: 'a', version: 3 },
      { id: 'b', version: 1 },
    ]);
  });

  it('drops what a list no longer has, and never brings back what was deleted', () => {
    const things = createResourceStore<Thing>(kind);
    things.listed([
      { id: 'a', version: 1 },
      { id: 'b', version: 1 },
    ]);
    things.remove(['a']);
    things.listed([{ id: 'a', version: 1 }]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('keeps what the stream told while the list was under way', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'old', version: 1 }]);
    things.listing();
    things.put([{ id: 'new', version: 1 }]);
    things.listed([{ id: 'a', version: 1 }]);
    expect([...things.store.getState().byId.keys()].sort()).toEqual(['a', 'new']);
  });

  it('shows again what the user sees again, by the stream', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'a', version: 1 }]);
    things.hide(['a']);
    expect(things.store.getState().byId.size).toBe(0);
    things.receive([{ id: 'a', version: 1 }]);
    expect([...things.store.getState().byId.keys()]).toEqual(['a']);
  });

  it('shows again what a list has that was asked for after it was hidden', () => {
    const things = createResourceStore<Thing>(kind);
    things.hide(['a']);
    things.listing();
    things.listed([{ id: 'a', version: 1 }]);
    expect([...things.store.getState().byId.keys()]).toEqual(['a']);
  });

  it('keeps hidden what was hidden after a list or an answer was asked for', () => {
    const things = createResourceStore<Thing>(kind);
    things.listing();
    things.hide(['a']);
    things.put([{ id: 'a', version: 1 }]);
    things.listed([{ id: 'a', version: 1 }]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('drops what was put and hidden while the list without it was under way', () => {
    const things = createResourceStore<Thing>(kind);
    things.listing();
    things.receive([{ id: 'a', version: 1 }]);
    things.hide(['a']);
    things.listed([]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('never shows again what was deleted, whatever the stream still says of it', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'a', version: 1 }]);
    things.remove(['a']);
    things.receive([{ id: 'a', version: 2 }]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('lets come again what may', () => {
    const things = createResourceStore<Thing>({ ...kind, mayReturn: true });
    things.put([{ id: 'a', version: 1 }]);
    things.remove(['a']);
    things.put([{ id: 'a', version: 1 }]);
    expect(things.store.getState().byId.size).toBe(1);
  });
});
