import { createStore } from 'zustand/vanilla';

/** A form that was not saved, with the state that it began from; null for something new. */
export interface Draft<Item, Form> {
  base: Item | null;
  form: Form;
}

/** What was typed and not saved, by the id of what it is about. */
export function createDrafts<Item, Form>() {
  const store = createStore<{ byId: ReadonlyMap<string, Draft<Item, Form>> }>(() => ({ byId: new Map() }));
  return {
    store,
    get: (id: string): Draft<Item, Form> | null => store.getState().byId.get(id) ?? null,
    keep(id: string, draft: Draft<Item, Form> | null): void {
      store.setState(({ byId }) => {
        const next = new Map(byId);
        if (draft === null) next.delete(id);
        else next.set(id, draft);
        return { byId: next };
      });
    },
  };
}

export type Drafts<Item, Form> = ReturnType<typeof createDrafts<Item, Form>>;
