import type { Translate } from '../i18n/text.ts';
import { screenNames, type Location, type ScreenName } from '../navigation/navigation.ts';

/** The panes of Live that a window can show alone. */
export const paneNames = ['map', 'queue', 'list', 'vehicle'] as const;
export type PaneName = (typeof paneNames)[number];

const screenWindows = screenNames.filter((it) => it !== 'live' && it !== 'setup');
export type ScreenWindow = Exclude<ScreenName, 'live' | 'setup'>;

/** What a window shows without the rest of the console. */
export type WindowName = PaneName | ScreenWindow | 'wall';
const windowNames: readonly WindowName[] = [...paneNames, ...screenWindows, 'wall'];

/** @param search of the page's address: `?window=queue` */
export function readWindowName(search: string): WindowName | null {
  const named = new URLSearchParams(search).get('window');
  return windowNames.find((it) => it === named) ?? null;
}

export const isPane = (name: WindowName | null): name is PaneName => paneNames.some((it) => it === name);

/** The place of the console that a window shows a part of, or the whole. */
export function placeOfWindow(name: WindowName): ScreenName {
  return isPane(name) || name === 'wall' ? 'live' : name;
}

export const windowTitle = (name: WindowName, t: Translate): string =>
  isPane(name) || name === 'wall' ? t(`window.${name}`) : t(`rail.${name}`);

/** Where a window for a location would be opened; null for a location that only the whole console shows. */
export function windowOfPlace({ place }: Pick<Location, 'place'>): ScreenWindow | null {
  return screenWindows.find((it): it is ScreenWindow => it === place) ?? null;
}
