import type { PreferenceStore } from '../settings/preferences.ts';

/** From this width on there is room for wider panes and one more column (LOOKS 4). */
const WIDE_PX = 1_700;
/** Whether the queue of a window has room for the wider column. */
export const isWideQueue = (width: number): boolean => width >= WIDE_PX;
/** The map is never smaller than this while anything else can give way. */
export const MAP_MIN = { width: 560, height: 360 };
const TOP_BAR_PX = 48;
const STRIP_PX = 48;
/** The queue folded: its head and the top alarm, which stays actionable. */
const QUEUE_FOLDED_PX = 72;

export const PANE_LIMITS: Record<PaneName, { min: number; max: number }> = {
  list: { min: 280, max: 520 },
  panel: { min: 280, max: 480 },
  queue: { min: 104, max: 480 },
};

export interface LiveLayout {
  railWidth: 72 | 48;
  listWidth: number;
  listFolded: boolean;
  panelWidth: number;
  /** Over the right edge of the map instead of beside it. */
  panelOver: boolean;
  queueHeight: number;
  queueFolded: boolean;
  /** Shows the column "driver and phone". */
  wideQueue: boolean;
  /** Without rail, top bar, list and the vehicle's panel. */
  full: boolean;
  /** Where the second map stands; null where it is closed or does not fit. */
  secondMap: 'beside' | 'below' | null;
  secondMapFits: boolean;
}

export interface LayoutFilter {
  width: number;
  height: number;
  /** What the operator chose; 0 for never. */
  sizes: Partial<Record<PaneName, { size: number; folded: boolean }>>;
  /** A vehicle is selected and its panel not folded. */
  panelShown: boolean;
  /** The map has the whole screen. */
  fullMap?: boolean;
  /** The operator wants a second map. */
  secondMap?: boolean;
}

/** Two maps are each as large as one has to be, and side by side where they can. */
const TWO_MAPS_MIN = {
  beside: { width: 2 * MAP_MIN.width, height: MAP_MIN.height },
  below: { width: MAP_MIN.width, height: 2 * MAP_MIN.height },
};

/**
 * Gives every pane its size. When the map would fall under 560 × 360, panes give way one after the other: the wide
 * column, the panel (laid over the map), the list, the queue, the labels of the rail. On the full screen the map has all
 * but the folded queue, whose head and top alarm stay.
 *
 * A second map doubles what the maps must have. The panel would hide half of one that stands beside the other: it takes
 * its width from both instead, and the list stays while one is selected from it.
 */
export function liveLayout(filter: LayoutFilter): LiveLayout {
  const place = placeOfSecondMap(filter);
  const secondMap = filter.secondMap === true ? place : null;
  const isBeside = secondMap === 'beside';
  const { layout } = giveWay(
    { ...filter, panelShown: filter.panelShown && !isBeside },
    secondMap === null ? MAP_MIN : TWO_MAPS_MIN[secondMap],
  );
  return { ...layout, panelOver: layout.panelOver && !isBeside, secondMap, secondMapFits: place !== null };
}

/** Where a second map fits: at best without a pane giving way. The vehicle's panel has no say: the maps do not jump. */
function placeOfSecondMap(filter: LayoutFilter): LiveLayout['secondMap'] {
  const places = ['beside', 'below'] as const;
  const fits = (place: (typeof places)[number], min: { width: number; height: number }) => {
    const { width, height } = giveWay({ ...filter, panelShown: false }, min);
    return width >= TWO_MAPS_MIN[place].width && height >= TWO_MAPS_MIN[place].height;
  };
  return (
    places.find((place) => fits(place, MAP_MIN)) ??
    places.find((place) => fits(place, TWO_MAPS_MIN[place])) ??
    null
  );
}

/** The layout in which the maps have at least `min`, if there is one, and what they have then; in pixels. */
function giveWay(
  { width, height, sizes, panelShown, fullMap = false }: LayoutFilter,
  min: { width: number; height: number },
) {
  const isWide = width >= WIDE_PX;
  const sizeOf = (name: PaneName, standard: number) => {
    const { min, max } = PANE_LIMITS[name];
    const chosen = sizes[name]?.size ?? 0;
    return chosen === 0 ? standard : Math.min(max, Math.max(min, chosen));
  };
  const layout: Omit<LiveLayout, 'secondMap' | 'secondMapFits'> = {
    railWidth: 72,
    listWidth: sizeOf('list', isWide ? 344 : 328),
    listFolded: sizes.list?.folded ?? false,
    panelWidth: sizeOf('panel', isWide ? 344 : 304),
    panelOver: fullMap,
    queueHeight: sizeOf('queue', 200),
    queueFolded: fullMap || (sizes.queue?.folded ?? false),
    wideQueue: isWide,
    full: fullMap,
  };
  if (fullMap) return { layout, width, height: height - QUEUE_FOLDED_PX };
  const mapWidth = () =>
    width -
    layout.railWidth -
    (layout.listFolded ? STRIP_PX : layout.listWidth) -
    (panelShown && !layout.panelOver ? layout.panelWidth : 0);
  const mapHeight = () => height - TOP_BAR_PX - (layout.queueFolded ? QUEUE_FOLDED_PX : layout.queueHeight);

  if (mapWidth() < MAP_MIN.width) layout.wideQueue = false;
  if (mapWidth() < min.width) layout.panelOver = true;
  if (mapWidth() < min.width) layout.listFolded = true;
  if (mapHeight() < min.height) layout.queueFolded = true;
  if (mapWidth() < min.width) layout.railWidth = 48;
  return { layout, width: mapWidth(), height: mapHeight() };
}

export type PaneName = 'list' | 'panel' | 'queue';
/** All that is folded and sized: those of Live and of Reports. */
type SizedPane = PaneName | 'report_chart' | 'report_map';

/** Folds a pane, or unfolds it; it comes back in the size that it had. */
export function foldPane(preferences: PreferenceStore, name: SizedPane): void {
  preferences.setState(({ panes }) => {
    const pane = panes[name] ?? { size: 0, folded: false };
    return { panes: { ...panes, [name]: { ...pane, folded: !pane.folded } } };
  });
}

export function sizePane(preferences: PreferenceStore, name: SizedPane, size: number): void {
  preferences.setState(({ panes }) => ({ panes: { ...panes, [name]: { size, folded: false } } }));
}

export function toggleSecondMap(preferences: PreferenceStore): void {
  preferences.setState(({ secondMap }) => ({ secondMap: { ...secondMap, open: !secondMap.open } }));
}

/** Of `whole` pixels that two maps share, those of the second: what it was given, while both keep `min`, or half. */
export function sizeOfSecondMap(whole: number, min: number, share: number) {
  const least = Math.min(min, Math.floor(whole / 2));
  const most = whole - least;
  return { min: least, max: most, size: Math.round(Math.max(least, Math.min(most, whole * share))) };
}
