import { describe, expect, it } from 'vitest';
import { createResourceStore, olderByVersion } from '../../../renderer/resources/resourceStore.ts';

interface Thing {
  id: string;
  version: number;
}

const kind = { idOf: (it: Thing) => it.id, isOlder: olderByVersion };

describe('a store of resources', () => {
  it('a store of resources keeps the newest state of each, however it came', () => {
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

  it('a store of resources drops what a list no longer has, and never brings back what was deleted', () => {
    const things = createResourceStore<Thing>(kind);
    things.listed([
      { id: 'a', version: 1 },
      { id: 'b', version: 1 },
    ]);
    things.remove(['a']);
    things.listed([{ id: 'a', version: 1 }]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('a store of resources keeps the changes that the stream published while the list was under way', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'old', version: 1 }]);
    things.listing();
    things.put([{ id: 'new', version: 1 }]);
    things.listed([{ id: 'a', version: 1 }]);
    expect([...things.store.getState().byId.keys()].sort()).toEqual(['a', 'new']);
  });

  it('a store of resources shows an item again that the stream brings back into sight', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'a', version: 1 }]);
    things.hide(['a']);
    expect(things.store.getState().byId.size).toBe(0);
    things.receive([{ id: 'a', version: 1 }]);
    expect([...things.store.getState().byId.keys()]).toEqual(['a']);
  });

  it('a store of resources shows an item again that a list requested after its hiding has', () => {
    const things = createResourceStore<Thing>(kind);
    things.hide(['a']);
    things.listing();
    things.listed([{ id: 'a', version: 1 }]);
    expect([...things.store.getState().byId.keys()]).toEqual(['a']);
  });

  it('a store of resources keeps an item hidden that was hidden after a list or an answer was requested', () => {
    const things = createResourceStore<Thing>(kind);
    things.listing();
    things.hide(['a']);
    things.put([{ id: 'a', version: 1 }]);
    things.listed([{ id: 'a', version: 1 }]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('a store of resources drops an item that was put and hidden while a list without it was loading', () => {
    const things = createResourceStore<Thing>(kind);
    things.listing();
    things.receive([{ id: 'a', version: 1 }]);
    things.hide(['a']);
    things.listed([]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('a store of resources never shows a deleted item again, whatever the stream still sends', () => {
    const things = createResourceStore<Thing>(kind);
    things.put([{ id: 'a', version: 1 }]);
    things.remove(['a']);
    things.receive([{ id: 'a', version: 2 }]);
    expect(things.store.getState().byId.size).toBe(0);
  });

  it('a store of resources lets an item return where the kind allows it', () => {
    const things = createResourceStore<Thing>({ ...kind, mayReturn: true });
    things.put([{ id: 'a', version: 1 }]);
    things.remove(['a']);
    things.put([{ id: 'a', version: 1 }]);
    expect(things.store.getState().byId.size).toBe(1);
  });
});
