import type { PreferenceStore } from '../settings/preferences.ts';

/** From this width on there is room for wider panes and one more column (LOOKS 4). */
const WIDE_PX = 1_700;
/** The map is never smaller than this while anything else can give way. */
const MAP_MIN = { width: 560, height: 360 };
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
}

/**
 * Gives every pane its size. When the map would fall under 560 × 360, panes give way one after the other: the wide
 * column, the panel (laid over the map), the list, the queue, the labels of the rail. On the full screen the map has all
 * but the folded queue, whose head and top alarm stay.
 */
export function liveLayout({ width, height, sizes, panelShown, fullMap = false }: LayoutFilter): LiveLayout {
  const isWide = width >= WIDE_PX;
  const sizeOf = (name: PaneName, standard: number) => {
    const { min, max } = PANE_LIMITS[name];
    const chosen = sizes[name]?.size ?? 0;
    return chosen === 0 ? standard : Math.min(max, Math.max(min, chosen));
  };
  const layout: LiveLayout = {
    railWidth: 72,
    listWidth: sizeOf('list', isWide ? 344 : 328),
    listFolded: sizes.list?.folded ?? false,
    panelWidth: sizeOf('panel', isWide ? 344 : 304),
    panelOver: false,
    queueHeight: sizeOf('queue', 200),
    queueFolded: sizes.queue?.folded ?? false,
    wideQueue: isWide,
    full: fullMap,
  };
  if (fullMap) return { ...layout, panelOver: true, queueFolded: true };
  const mapWidth = () =>
    width -
    layout.railWidth -
    (layout.listFolded ? STRIP_PX : layout.listWidth) -
    (panelShown && !layout.panelOver ? layout.panelWidth : 0);
  const mapHeight = () => height - TOP_BAR_PX - (layout.queueFolded ? QUEUE_FOLDED_PX : layout.queueHeight);

  if (mapWidth() < MAP_MIN.width) layout.wideQueue = false;
  if (mapWidth() < MAP_MIN.width) layout.panelOver = true;
  if (mapWidth() < MAP_MIN.width) layout.listFolded = true;
  if (mapHeight() < MAP_MIN.height) layout.queueFolded = true;
  if (mapWidth() < MAP_MIN.width) layout.railWidth = 48;
  return layout;
}

export type PaneName = 'list' | 'panel' | 'queue';

/** Folds a pane, or unfolds it; it comes back in the size that it had. */
export function foldPane(preferences: PreferenceStore, name: PaneName): void {
  preferences.setState(({ panes }) => {
    const pane = panes[name] ?? { size: 0, folded: false };
    return { panes: { ...panes, [name]: { ...pane, folded: !pane.folded } } };
  });
}

export function sizePane(preferences: PreferenceStore, name: PaneName, size: number): void {
  preferences.setState(({ panes }) => ({ panes: { ...panes, [name]: { size, folded: false } } }));
}
