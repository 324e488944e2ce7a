import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { languages } from '../../server/contract/languages.ts';
import { mapLayerChoice } from '../../server/contract/mapViews.ts';
import type { TextStorage } from '../platform/platform.ts';

/** Charts beside that of the speed: more leave no space for the map. */
export const MOST_CHARTS = 4;

/** Which alarms bring the window to the front. */
export const RAISES = ['sos', 'alarm', 'never'] as const;

const preferences = z.object({
  /** Of the login page, and of users who have chosen none; null: as the browser has it. */
  language: z.enum(languages).nullable().catch(null),
  theme: z.enum(['dark', 'light']).catch('dark'),
  /** Single letters act as commands (WCAG 2.1.4 asks that they can be switched off). */
  singleKeys: z.boolean().catch(true),
  sound: z.boolean().catch(true),
  /** Where the host can: a call for help waits for nobody to look. */
  raise: z.enum(RAISES).catch('sos'),
  /** Sizes in pixels and folds of the panes, by their names. */
  panes: z.record(z.string(), z.object({ size: z.number(), folded: z.boolean() })).catch({}),
  /** Beside the map of Live; its share of their area. */
  secondMap: z
    .object({ open: z.boolean(), share: z.number().min(0).max(1) })
    .catch({ open: false, share: 0.5 }),
  /** The values that History draws beside the speed, by their names in positions. */
  historyCharts: z.array(z.string()).max(MOST_CHARTS).catch([]),
  /** What the map shows, by the ids of the users of this computer. */
  mapLayers: z.record(z.string(), mapLayerChoice).catch({}),
});
export type Preferences = z.infer<typeof preferences>;

export type PreferenceStore = StoreApi<Preferences>;

/** Habits of the operator at this computer, kept in its storage. */
export function createPreferences(storage: TextStorage): PreferenceStore {
  const store = createStore<Preferences>(() => preferences.parse(readJson(storage.read('preferences'))));
  /** A window of another version writes other fields: two that each wrote what they took would never end. */
  let isTaking = false;
  store.subscribe((state) => {
    if (!isTaking) storage.write('preferences', JSON.stringify(state));
  });
  // What another window changed holds here too, and is not undone by what this one writes next.
  storage.onWritten('preferences', () => {
    isTaking = true;
    store.setState(preferences.parse(readJson(storage.read('preferences'))));
    isTaking = false;
  });
  return store;
}

function readJson(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
