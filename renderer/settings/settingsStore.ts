import { createStore, type StoreApi } from 'zustand/vanilla';
import { settingsFields, type Settings, type ShownSettings } from '../../server/contract/settings.ts';
import { createDepotTime, type DepotTime } from '../format/depotTime.ts';
import { formats } from '../format/formats.ts';

export interface SettingsState {
  /** The numbers that hold; before the first answer those of a new depot. */
  numbers: ShownSettings;
  /** As the server answered; null before that. */
  settings: Settings | null;
  /** In the time zone of the user: the depot's, where it has chosen no other. */
  time: DepotTime;
}

export type SettingsStore = StoreApi<SettingsState>;

export function createSettingsStore(): SettingsStore {
  const numbers = settingsFields.parse({});
  return createStore<SettingsState>(() => ({
    numbers,
    settings: null,
    time: timeIn(numbers.timezone),
  }));
}

const zoneOf = (ofDepot: string): string => formats.getState().timeZone ?? ofDepot;
const timeIn = (ofDepot: string): DepotTime => createDepotTime(zoneOf(ofDepot));

/** Writes times as the user has chosen; returns its end. */
export const followFormats = (store: SettingsStore): (() => void) =>
  formats.subscribe(() => store.setState(({ numbers }) => ({ time: timeIn(numbers.timezone) })));

/** A list that was read earlier may arrive after the stream's message. */
export function takeSettings(store: SettingsStore, settings: Settings): void {
  const { time, settings: known } = store.getState();
  if (known !== null && settings.version < known.version) return;
  store.setState({
    settings,
    numbers: settings,
    time: time.timeZone === zoneOf(settings.timezone) ? time : timeIn(settings.timezone),
  });
}
