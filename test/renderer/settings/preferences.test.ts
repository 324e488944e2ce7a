import { describe, expect, it } from 'vitest';
import { createPreferences } from '../../../renderer/settings/preferences.ts';
import { createMemoryStorage } from '../memoryStorage.ts';

describe('preferences', () => {
  it('preferences come back as they were left', () => {
    const storage = createMemoryStorage();
    createPreferences(storage).setState({ theme: 'light', panes: { list: { size: 300, folded: true } } });
    expect(createPreferences(storage).getState()).toMatchObject({
      theme: 'light',
      panes: { list: { size: 300, folded: true } },
      singleKeys: true,
    });
  });

  it('preferences are the usual ones where the storage holds nonsense, field by field', () => {
    const storage = createMemoryStorage();
    storage.write('preferences', 'nonsense');
    expect(createPreferences(storage).getState().theme).toBe('dark');
    storage.write('preferences', '{"theme":"pink","sound":false}');
    expect(createPreferences(storage).getState()).toMatchObject({ theme: 'dark', sound: false });
  });

  it('preferences that another window changed hold at once, and are not undone by what is changed here', () => {
    const storage = createMemoryStorage();
    const store = createPreferences(storage);
    const theirs = createPreferences(createMemoryStorage());
    theirs.setState({ theme: 'light' });
    storage.writeElsewhere('preferences', JSON.stringify(theirs.getState()));
    expect(store.getState().theme).toBe('light');
    store.setState({ sound: false });
    expect(createPreferences(storage).getState()).toMatchObject({ theme: 'light', sound: false });
  });

  it('preferences that a window of another version wrote are taken, and not written back to it', () => {
    const storage = createMemoryStorage();
    const store = createPreferences(storage);
    const theirs = '{"theme":"light","later":true}';
    storage.writeElsewhere('preferences', theirs);
    expect(store.getState().theme).toBe('light');
    expect(storage.read('preferences')).toBe(theirs);
  });
});
