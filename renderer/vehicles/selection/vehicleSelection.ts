import type { AppContext } from '../../appContext/appContext.ts';
import type { LiveView } from '../../live/liveView.ts';

/** Several vehicles that something is done with; they stay selected whatever the list is narrowed down to. */
type VehicleSelection = Pick<LiveView, 'selectedIds' | 'selectionAnchor'>;
type Before = VehicleSelection & Pick<LiveView, 'vehicleId'>;

export const NO_VEHICLES: VehicleSelection = { selectedIds: new Set(), selectionAnchor: null };

/** Adds a vehicle, or takes it out. The one that is shown in the panel is the first of a new selection. */
export function toggled({ selectedIds, vehicleId }: Before, id: string): VehicleSelection {
  const isNew = selectedIds.size === 0 && vehicleId !== null && vehicleId !== id;
  const next = new Set(isNew ? [vehicleId] : selectedIds);
  if (!next.delete(id)) next.add(id);
  return { selectedIds: next, selectionAnchor: id };
}

/**
 * Selects from where the selection began to a vehicle, in the order of a list. Of what the list does not show, nothing
 * changes; of the rest what was selected is selected no longer, unless it is added to.
 */
export function ranged(
  { selectedIds, selectionAnchor, vehicleId }: Before,
  order: readonly string[],
  id: string,
  adds = false,
): VehicleSelection {
  const to = order.indexOf(id);
  const anchor = [selectionAnchor, vehicleId].find((it) => it !== null && order.includes(it)) ?? id;
  const from = order.indexOf(anchor);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  if (adds) return { selectedIds: new Set([...selectedIds, ...range]), selectionAnchor: anchor };
  const shown = new Set(order);
  const hidden = [...selectedIds].filter((it) => !shown.has(it));
  return { selectedIds: new Set([...hidden, ...range]), selectionAnchor: anchor };
}

/** Selects these and no others, or these too. */
export function selectVehicles(app: Pick<AppContext, 'view'>, ids: Iterable<string>, adds = false): void {
  const { selectedIds, selectionAnchor } = app.view.getState();
  const next = new Set(adds ? [...selectedIds, ...ids] : ids);
  app.view.setState({ selectedIds: next, selectionAnchor: next.size === 0 ? null : selectionAnchor });
}

export const clearVehicles = (app: Pick<AppContext, 'view'>): void => app.view.setState(NO_VEHICLES);

export const hasVehicles = (app: Pick<AppContext, 'view'>): boolean =>
  app.view.getState().selectedIds.size > 0;

/** Where the selected vehicles were last; those without a fix are left out. */
export function placesOfSelected({ view, positions }: Pick<AppContext, 'view' | 'positions'>) {
  return [...view.getState().selectedIds].flatMap((id) => {
    const fix = positions.get(id)?.fix;
    return fix === undefined || fix === null ? [] : [{ lat: fix.lat, lon: fix.lon }];
  });
}
