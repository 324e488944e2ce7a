import type { Notification } from '../../server/contract/notifications.ts';
import type { QueueFilter, QueueGrouping, SavedQueueView } from '../../server/contract/preferences.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { rangeOf } from '../ui/tableOrder.ts';
import { openRows } from './openRows.ts';
import { queueLines, type QueueGroupName, type QueueLine } from './queueLines.ts';
import { compareRows } from './queueOrder.ts';
import { NO_FILTER, type QueueView } from './queueViewStore.ts';

type Names = Pick<AppContext, 'vehicles' | 'geofences' | 'places' | 't' | 'notifications'>;

/** Whether a filter leaves rows out. */
export const isFiltering = ({ severities, rule_ids, vehicle_ids }: QueueFilter): boolean =>
  severities.length + rule_ids.length + vehicle_ids.length > 0;

const isAmong = (ids: readonly (string | null)[], id: string | null): boolean =>
  ids.length === 0 || ids.includes(id);

/** Whether a row is shown: each part of the filter that names something has to name it. */
export const passes =
  ({ severities, rule_ids, vehicle_ids }: QueueFilter) =>
  ({ severity, rule_id, vehicle_id }: Pick<Notification, 'severity' | 'rule_id' | 'vehicle_id'>): boolean =>
    isAmong(severities, severity) && isAmong(rule_ids, rule_id) && isAmong(vehicle_ids, vehicle_id);

/** Shows other rows; what was checked may be among them no longer. */
export function filterQueue(app: AppContext, filter: QueueFilter): void {
  app.queueView.setState({ filter, groupKey: null, checked: new Set(), anchorId: null });
}

/** What rows are grouped by; null: they are not. */
export function groupingOf(
  app: Names,
  groupBy: QueueGrouping,
): ((row: Notification) => QueueGroupName) | null {
  switch (groupBy) {
    case 'none':
      return null;
    case 'rule':
      return (row) => ({ key: row.rule_id ?? row.rule_name, name: row.rule_name });
    case 'vehicle':
      return ({ vehicle_id }) => ({
        key: vehicle_id ?? '',
        name:
          app.vehicles.store.getState().byId.get(vehicle_id ?? '')?.name ?? app.t('queue.group_no_vehicle'),
      });
    case 'place':
      return ({ geozone_id, lat, lon }) => {
        const geofence = app.geofences.store.getState().byId.get(geozone_id ?? '')?.name;
        const name = geofence ?? (lat === null || lon === null ? null : app.places.areaAt(lat, lon));
        return { key: name ?? '', name: name ?? app.t('queue.group_no_place') };
      };
  }
}

/**
 * The lines of the quiet list while it is shown, else of the open one, as keys walk through them: with the selected row,
 * which may be acknowledged.
 */
export function walkedLines(app: AppContext): QueueLine[] {
  const { groupBy, folded, list, isFolded, filter } = app.queueView.getState();
  const isQuiet = list === 'quiet';
  const selected = app.notifications.store.getState().byId.get(app.view.getState().notificationId ?? '');
  const all = isQuiet ? quietRows(app) : openRows(app);
  const rows = isFolded ? all : all.filter(passes(filter));
  const isKept = selected !== undefined && !rows.includes(selected) && selected.quiet === isQuiet;
  return queueLines(
    isKept ? [...rows, selected].sort(compareRows) : rows,
    isQuiet || isFolded ? null : groupingOf(app, groupBy),
    folded,
  );
}

/** The key of the line that keys act on. */
export function currentLineKey(app: AppContext, lines: readonly QueueLine[]): string | null {
  const { groupKey } = app.queueView.getState();
  const { notificationId } = app.view.getState();
  const inFolded = (line: QueueLine) =>
    line.kind === 'group' &&
    !line.isOpen &&
    (line.group.key === groupKey || line.group.rows.some((row) => row.notification_id === notificationId));
  return (lines.find((line) => line.key === notificationId) ?? lines.find(inFolded))?.key ?? null;
}

/** The open rows that an acknowledgement of several means: those that are checked, else the selected group; null: one row is meant. */
export function severalToAcknowledge(app: AppContext): { name: string | null; ids: string[] } | null {
  const { checked, groupKey, groupBy, list, filter } = app.queueView.getState();
  const { waiting } = app.acks.store.getState();
  if (checked.size > 0) {
    const { byId } = app.notifications.store.getState();
    const ids = [...checked].filter((id) => byId.get(id)?.state === 'open' && !waiting.has(id));
    return ids.length === 0 ? null : { name: null, ids };
  }
  const groupOf = list === 'open' && groupKey !== null ? groupingOf(app, groupBy) : null;
  if (groupOf === null) return null;
  const rows = openRows(app).filter((row) => passes(filter)(row) && groupOf(row).key === groupKey);
  const [first] = rows;
  if (first === undefined) return null;
  return { name: groupOf(first).name, ids: rows.map((row) => row.notification_id) };
}

/** Rows of the quiet list that wait for somebody. */
export function quietRows(app: Pick<AppContext, 'notifications' | 'acks'>): Notification[] {
  const { waiting } = app.acks.store.getState();
  return [...app.notifications.store.getState().byId.values()]
    .filter((it) => it.quiet && it.state === 'open' && !waiting.has(it.notification_id))
    .sort(compareRows);
}

/**
 * Folds a group, or unfolds it; what was selected in a folded one is its head. While a row of another group is selected,
 * keys go on acting on that row.
 */
export function foldGroup(app: AppContext, key: string, fold: boolean): void {
  const { folded: before, groupKey } = app.queueView.getState();
  const folded = new Set(before);
  if (fold) folded.add(key);
  else folded.delete(key);
  const isMeant = fold && !isBeside(app, key);
  app.queueView.setState({ folded, groupKey: isMeant ? key : groupKey === key ? null : groupKey });
}

/** Whether a row is selected that is not of this group. */
function isBeside(app: AppContext, key: string): boolean {
  const selected = app.notifications.store.getState().byId.get(app.view.getState().notificationId ?? '');
  const groupOf = groupingOf(app, app.queueView.getState().groupBy);
  return selected !== undefined && groupOf?.(selected).key !== key;
}

/** After a group was acknowledged, or not, keys act on the selected row again, where that is of another group. */
export function backFromGroup(app: AppContext): void {
  const { groupKey } = app.queueView.getState();
  if (groupKey !== null && isBeside(app, groupKey)) app.queueView.setState({ groupKey: null });
}

/** Keys act on a folded group no longer once a row or a vehicle is selected, wherever that is done. Returns its end. */
export function leaveGroups({ view, queueView }: Pick<AppContext, 'view' | 'queueView'>): () => void {
  return view.subscribe(({ notificationId, vehicleId }, before) => {
    const isOther = notificationId !== before.notificationId || vehicleId !== before.vehicleId;
    if (isOther && (notificationId !== null || vehicleId !== null)) queueView.setState({ groupKey: null });
  });
}

/** The rows that are shown, in their order. */
function shownIds(app: AppContext): string[] {
  return walkedLines(app).flatMap((line) => (line.kind === 'row' ? [line.key] : []));
}

/** Checks a row too (Ctrl), or all from the last one to it (Shift). */
export function checkRow(app: AppContext, id: string, how: 'toggle' | 'range'): void {
  const { checked, anchorId } = app.queueView.getState();
  // The first of several is the row that is selected.
  const from = anchorId ?? app.view.getState().notificationId;
  if (how === 'range') {
    app.queueView.setState({ checked: new Set(rangeOf(shownIds(app), id, from)), anchorId: from ?? id });
    return;
  }
  const next = new Set(checked.size === 0 && from !== null ? [from] : checked);
  if (!next.delete(id)) next.add(id);
  app.queueView.setState({ checked: next, anchorId: id });
}

/** Checks every row of the list that the filter leaves, those of folded groups too. */
export function checkAll(app: AppContext): void {
  const { list, filter } = app.queueView.getState();
  const rows = (list === 'quiet' ? quietRows(app) : openRows(app)).filter(passes(filter));
  app.queueView.setState({ checked: new Set(rows.map((row) => row.notification_id)) });
}

/** A row is meant: others that are checked are only when it is one of them. */
export function meanRow(app: AppContext, id: string): void {
  if (!app.queueView.getState().checked.has(id)) clearChecked(app);
}

export function clearChecked(app: AppContext): void {
  app.queueView.setState({ checked: new Set(), anchorId: null });
}

/** The queue is folded, or not: folded, it has neither another list nor groups that keys could act on. */
export function foldQueue(app: AppContext, isFolded: boolean): void {
  if (isFolded && app.queueView.getState().list !== 'open') showList(app, 'open');
  app.queueView.setState(isFolded ? { isFolded, groupKey: null } : { isFolded });
}

/** What the queue shows now, to be saved; of what is folded the groups that are there. */
export function presentView(app: AppContext): Omit<SavedQueueView, 'name'> {
  const { list, groupBy, filter } = app.queueView.getState();
  const folded = walkedLines(app).flatMap((it) => (it.kind === 'group' && !it.isOpen ? [it.group.key] : []));
  return { list, group_by: groupBy, folded, ...(isFiltering(filter) ? { filter } : {}) };
}

/** Shows the queue as it was saved. */
export function showQueueView(
  app: AppContext,
  { list, group_by, folded, filter = NO_FILTER }: SavedQueueView,
): void {
  showList(app, list);
  app.queueView.setState({ groupBy: group_by, folded: new Set(folded), filter });
}

/** Shows another list of the queue; what was checked in the one before is not. */
export function showList(app: AppContext, list: QueueView['list']): void {
  app.queueView.setState({ list, groupKey: null, checked: new Set(), anchorId: null });
}
