import { createStore, type StoreApi } from 'zustand/vanilla';
import { settingsFields, type Settings, type ShownSettings } from '../../server/contract/settings.ts';
import { createDepotTime, type DepotTime } from '../format/depotTime.ts';

export interface SettingsState {
  /** The numbers that hold; before the first answer those of a new depot. */
  numbers: ShownSettings;
  /** As the server answered; null before that. */
  settings: Settings | null;
  time: DepotTime;
}

export type SettingsStore = StoreApi<SettingsState>;

export function createSettingsStore(): SettingsStore {
  const numbers = settingsFields.parse({});
  return createStore<SettingsState>(() => ({
    numbers,
    settings: null,
    time: createDepotTime(numbers.timezone),
  }));
}

/** A list that was read earlier may arrive after the stream's message. */
export function takeSettings(store: SettingsStore, settings: Settings): void {
  const { time, settings: known } = store.getState();
  if (known !== null && settings.version < known.version) return;
  store.setState({
    settings,
    numbers: settings,
    time: time.timeZone === settings.timezone ? time : createDepotTime(settings.timezone),
  });
}
