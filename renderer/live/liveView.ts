import { createStore, type StoreApi } from 'zustand/vanilla';
import { parseCoordinates } from '../../server/contract/coordinates.ts';
import type { ShownStatus } from '../telemetry/statusStore.ts';
import type { GeofenceEdit } from '../geofences/form/geofenceEdit.ts';
import type { Measure } from '../map/drawing/drawnShape.ts';
import type { ConsoleMap } from '../map/consoleMap.ts';
import type { LatLon } from '../map/geodesy.ts';
import type { ContextMenuState } from '../ui/menuEntry.ts';
import type { Period } from '../ui/period.ts';

/** What is open over the Live screen. */
export type Overlay =
  | 'palette'
  | 'keys'
  | 'note'
  | 'snooze'
  | 'why'
  | 'discard_drawing'
  | 'edit_vehicle'
  | 'add_vehicle'
  | 'terminal_commands'
  | 'share_vehicle'
  | 'new_incident'
  | 'join_incident'
  | 'close_incident'
  | 'edit_incident'
  | 'shift_note'
  | 'shift_handover'
  | 'shift_accept'
  | 'shift_end'
  | 'bulk_groups'
  | 'bulk_geofence'
  | 'bulk_command'
  | 'bulk_video'
  | 'bulk_snooze'
  | 'restore_vehicles'
  | null;

/** A place on the map that something is asked of. */
export interface MapPoint {
  lat: number;
  lon: number;
  /** What it was found by; null for a place that was pointed at. */
  name: string | null;
  /** When vehicles that passed it are looked for; left out for the last days. */
  period?: Period;
}

/** A point as the address of the console bears it; a step is 1 m. */
export const writePoint = ({ lat, lon }: Pick<MapPoint, 'lat' | 'lon'>): string =>
  `${lat.toFixed(5)},${lon.toFixed(5)}`;

/** @returns null for what is no point on the map */
export function readPoint(text: string | undefined): MapPoint | null {
  const place = parseCoordinates(text ?? '');
  return place === null ? null : { ...place, name: null };
}

/** What an incident without an alarm is opened of: a vehicle at a moment, or a place. */
export interface IncidentMoment {
  vehicleId: string | null;
  /** RFC 3339; null: now. */
  at: string | null;
  place: LatLon | null;
  /** What it is called when nobody types another name. */
  title: string;
}

/** What is measured on the map, and how much it is so far. */
export interface Measuring {
  shape: 'line' | 'polygon';
  sizes: Measure | null;
}

/** Opened from the tools of the map. */
export type MapMenu = 'layers' | 'views' | null;

/** What the operator holds on the Live screen. Facts only; the actions are in liveActions. */
export interface LiveView {
  vehicleId: string | null;
  notificationId: string | null;
  /** Vehicles that something is done with together; empty while it is done with the one of `vehicleId`. */
  selectedIds: ReadonlySet<string>;
  /** Where a range of them begins. */
  selectionAnchor: string | null;
  geozoneId: string | null;
  /** What the map that was touched last moves with. */
  followedIds: readonly string[];
  /** Shows vehicles of this status alone. */
  statusFilter: ShownStatus | null;
  groupId: string | null;
  geofenceEdit: GeofenceEdit | null;
  /** The place on the map that something is asked of. */
  point: MapPoint | null;
  /** So far round it vehicles that passed are looked for, in metres; null while none are. */
  pointRadiusM: number | null;
  /** Places where vehicles entered or passed, as dots on the map, and the one of them that is chosen. */
  dots: { places: readonly LatLon[]; marked: LatLon | null };
  measuring: Measuring | null;
  /** A moment of the past that is chosen in a list: its video can be requested. */
  passage: { vehicle_id: string; at: string } | null;
  overlay: Overlay;
  contextMenu: ContextMenuState | null;
  /** The point of the map that the context menu is about; null: it is about something else, or none is open. */
  menuPoint: LatLon | null;
  mapMenu: MapMenu;
  /** The map has the whole screen but for the head of the queue and its top alarm. */
  fullMap: boolean;
  /** There is room for a second map (LiveLayout). */
  secondMapFits: boolean;
  /** The vehicle that a dialog is open for: its terminal's commands, its links. Selected or not. */
  dialogVehicleId: string | null;
  /** What an incident without an alarm is about to be opened of. */
  incidentMoment: IncidentMoment | null;
  /** Vehicles inside the window of a map; null before the map has been seen. */
  inView: ReadonlySet<string> | null;
}

export type LiveViewStore = StoreApi<LiveView>;

/** `query` is that of the address which the console was opened with. */
export function createLiveView(query: Readonly<Record<string, string>>): LiveViewStore {
  return createStore<LiveView>(() => ({
    vehicleId: query['vehicle'] ?? null,
    notificationId: query['notification'] ?? null,
    selectedIds: new Set(),
    selectionAnchor: null,
    geozoneId: query['geofence'] ?? null,
    followedIds: [],
    statusFilter: null,
    groupId: null,
    geofenceEdit: null,
    point: readPoint(query['point']),
    pointRadiusM: null,
    dots: { places: [], marked: null },
    measuring: null,
    passage: null,
    overlay: null,
    contextMenu: null,
    menuPoint: null,
    mapMenu: null,
    fullMap: false,
    secondMapFits: false,
    dialogVehicleId: null,
    incidentMoment: null,
    inView: null,
  }));
}

/** The maps that are shown. Commands speak to the one that was touched last. */
export function createMapControl() {
  /** The one that was touched last comes first. */
  const store = createStore<{ maps: readonly ConsoleMap[] }>(() => ({ maps: [] }));
  const current = (): ConsoleMap | null => store.getState().maps[0] ?? null;
  return {
    store,
    current,
    /** Where something is being drawn or measured, which stays on the map that it was begun on; else the current one. */
    drawing: (): ConsoleMap | null =>
      store.getState().maps.find((map) => map.drawing.isActive()) ?? current(),
    /** Called by the pane that holds the map; returns its undo. */
    attach(map: ConsoleMap) {
      store.setState(({ maps }) => ({ maps: [...maps, map] }));
      return () => store.setState(({ maps }) => ({ maps: maps.filter((it) => it !== map) }));
    },
    /** Called when the operator points at a map, turns the wheel over it or moves the focus into it. */
    touch(map: ConsoleMap) {
      const { maps } = store.getState();
      if (maps[0] !== map && maps.includes(map))
        store.setState({ maps: [map, ...maps.filter((it) => it !== map)] });
    },
  };
}

export type MapControl = ReturnType<typeof createMapControl>;
