import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { PanelLeftClose, Truck } from 'lucide-react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { openVehicleMenu } from '../commands/contextMenus.ts';
import { GroupChoice } from '../groups/GroupChoice.tsx';
import { useT } from '../i18n/useT.ts';
import { showVehicle } from '../live/liveActions.ts';
import { useMenuRequests } from '../ui/ContextMenu.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { type ListLine, listLines, sortedByName } from './listOrder.ts';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { ranged, toggled } from './selection/vehicleSelection.ts';
import { StatusFilter } from './StatusFilter.tsx';
import { nameWidthPx, VehicleRow } from './VehicleRow.tsx';
import { foldPane } from '../live/liveLayout.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { OwnWindowButton } from '../windows/OwnWindowButton.tsx';
import './VehicleList.css';

const ROW_PX = 32;
const HEADING_PX = 24;
const SKELETON = [
  [16, 32, 70, 56, 28],
  [16, 30, 48, 48, 24],
  [16, 34, 60, 60, 28],
] as const;

/** Every vehicle of the depot, grouped by need; ten thousand of them cost no more than those on the screen. */
export function VehicleList() {
  const app = useAppContext();
  const t = useT();
  const { byId, load } = useStore(app.vehicles.store);
  const statuses = useStore(app.statuses, (state) => state.byVehicle);
  const attention = useStore(app.attention, (state) => state.byVehicle);
  const status = useStore(app.view, (state) => state.statusFilter);
  const groupId = useStore(app.view, (state) => state.groupId);
  const inView = useStore(app.view, (state) => state.inView);

  const sorted = useMemo(() => sortedByName(byId.values()), [byId]);
  const lines = useMemo(
    () => listLines(sorted, { status, groupId }, statuses, attention, inView),
    [sorted, status, groupId, statuses, attention, inView],
  );
  const { shown, hold } = useFreezeOnHover(lines, [status, groupId]);
  const nameWidth = useMemo(() => nameWidthPx(sorted), [sorted]);

  return (
    <Pane
      name={t('list.title')}
      className="vehicle-list"
      head={<VehicleListHead count={load.phase === 'ready' || byId.size > 0 ? byId.size : null} />}
    >
      <StaleBanner>{t('list.stale')}</StaleBanner>
      {load.phase === 'failed' && byId.size === 0 ? (
        <LoadFailure
          title={t('list.failed')}
          stillWorks={t('list.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => app.retry('vehicles')}
        />
      ) : load.phase === 'ready' && byId.size === 0 ? (
        <VehicleListEmpty />
      ) : (
        <div className="vehicle-list__body" style={{ '--name-width': `${nameWidth}px` }}>
          <StatusFilter vehicles={sorted} />
          <div className="vehicle-row vehicle-row--head" aria-hidden>
            <span />
            <span>{t('list.column.vehicle')}</span>
            <span className="ellipsis">{t('list.column.place')}</span>
            <span className="to-right">{t('list.column.speed')}</span>
            <span className="to-right">{t('list.column.age')}</span>
          </div>
          {load.phase === 'loading' && byId.size === 0 ? (
            <SkeletonRows className="vehicle-row" widths={SKELETON} rows={12} label={t('list.loading')} />
          ) : shown.length === 0 ? (
            <VehicleListFiltered />
          ) : (
            <Lines lines={shown} onHold={hold} />
          )}
          <ListSelection lines={shown} />
        </div>
      )}
    </Pane>
  );
}

function Lines({ lines, onHold }: { lines: readonly ListLine[]; onHold: (frozen: boolean) => void }) {
  const app = useAppContext();
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const selectedId = useStore(app.view, (state) => state.vehicleId);
  /** The row that the keys act on, while it is not the one that is shown in the panel. */
  const [movedTo, setMovedTo] = useState<{ id: string; from: string | null } | null>(null);
  const activeId = movedTo !== null && movedTo.from === selectedId ? movedTo.id : selectedId;
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'heading' ? HEADING_PX : ROW_PX),
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 8,
  });

  const order = () => lines.flatMap((line) => (line.kind === 'vehicle' ? [line.vehicleId] : []));
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const withCtrl = event.ctrlKey || event.metaKey;
    if (event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 }[key];
    if (step !== undefined || key === 'Home' || key === 'End') {
      event.preventDefault();
      const ids = order();
      const at = activeId === null ? -1 : ids.indexOf(activeId);
      const target = key === 'Home' ? 0 : key === 'End' ? ids.length - 1 : at + (step ?? 0);
      const id = ids[Math.min(ids.length - 1, Math.max(0, target))];
      if (id === undefined) return;
      if (!shiftKey && !withCtrl) {
        setMovedTo(null);
        showVehicle(app, id);
      } else {
        setMovedTo({ id, from: selectedId });
        if (shiftKey) app.view.setState(ranged(app.view.getState(), ids, id, withCtrl));
      }
      virtual.scrollToIndex(lines.findIndex((line) => line.kind === 'vehicle' && line.vehicleId === id));
    } else if (key === ' ' && activeId !== null) {
      event.preventDefault();
      app.view.setState(toggled(app.view.getState(), activeId));
    } else if (key === 'Enter' && activeId !== null) {
      event.preventDefault();
      setMovedTo(null);
      showVehicle(app, activeId, { locate: true });
    }
  };
  const idOf = (target: Element) => target.closest<HTMLElement>('[data-vehicle]')?.dataset['vehicle'];
  // With Ctrl and Shift as in any list of files.
  const onClickCapture = (event: MouseEvent<HTMLDivElement>) => {
    const id = event.target instanceof Element ? idOf(event.target) : undefined;
    const adds = event.ctrlKey || event.metaKey;
    if (id === undefined || !(adds || event.shiftKey)) return;
    event.stopPropagation();
    setMovedTo({ id, from: selectedId });
    const before = app.view.getState();
    app.view.setState(event.shiftKey ? ranged(before, order(), id, adds) : toggled(before, id));
  };
  const requests = useMenuRequests(
    ({ target, ...at }) => {
      const id = target === scroller.current ? activeId : idOf(target);
      return id !== undefined && id !== null && openVehicleMenu(app, id, at);
    },
    () => (activeId === null ? null : document.getElementById(rowId(activeId))),
  );

  return (
    <div
      ref={scroller}
      className="vehicle-list__rows"
      role="listbox"
      aria-label={t('list.title')}
      tabIndex={0}
      aria-multiselectable
      aria-activedescendant={activeId === null ? undefined : rowId(activeId)}
      onKeyDown={onKeyDown}
      onClickCapture={onClickCapture}
      {...requests}
      onPointerMove={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
    >
      <div className="vehicle-list__all" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <div
              key={item.key}
              className="vehicle-list__line"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {line.kind === 'heading' ? (
                <div className="vehicle-list__heading" role="presentation">
                  <span>{t(`list.group.${line.group}`)}</span>
                  <span className="faint">{line.count}</span>
                </div>
              ) : (
                <VehicleRow
                  vehicleId={line.vehicleId}
                  id={rowId(line.vehicleId)}
                  active={line.vehicleId === activeId}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** What is selected; the list may be narrowed down to other vehicles. */
function ListSelection({ lines }: { lines: readonly ListLine[] }) {
  const { view } = useAppContext();
  const selectedIds = useStore(view, (state) => state.selectedIds);
  const notShown = useMemo(() => {
    if (selectedIds.size === 0) return 0;
    let shown = 0;
    for (const line of lines) if (line.kind === 'vehicle' && selectedIds.has(line.vehicleId)) shown += 1;
    return selectedIds.size - shown;
  }, [lines, selectedIds]);
  return <SelectionBar notShown={notShown} />;
}

const rowId = (vehicleId: string): string => `vehicle-${vehicleId}`;

function keyOf(line: ListLine | undefined): string {
  if (line === undefined) return '';
  return line.kind === 'heading' ? line.group : line.vehicleId;
}

/** The list's title with the number of vehicles (null while it is not known), and the group that is shown. */
function VehicleListHead({ count }: { count: number | null }) {
  const app = useAppContext();
  const t = useT();
  const groupId = useStore(app.view, (state) => state.groupId);
  return (
    <>
      <h2>{t('list.title')}</h2>
      {count !== null && <span className="faint">{count}</span>}
      <span className="fill" />
      <GroupChoice value={groupId} onChange={(id) => app.view.setState({ groupId: id })} />
      <OwnWindowButton of="list" />
      {app.windows.name === null && (
        <IconButton
          icon={PanelLeftClose}
          size="small"
          label={t('list.fold')}
          keycap="["
          onPress={() => foldPane(app.preferences, 'list')}
        />
      )}
    </>
  );
}

/** A depot without vehicles must not look like a broken one. */
function VehicleListEmpty() {
  const app = useAppContext();
  const t = useT();
  const unknownTerminals = useStore(app.unknownTerminals.store, (state) => state.byId.size);
  const isDealer = app.user.role === 'dealer';
  return (
    <Notice
      icon={Truck}
      title={t('list.empty')}
      actions={
        isDealer ? (
          <>
            {unknownTerminals > 0 && (
              <Button kind="primary" onPress={() => app.navigation.go('setup')}>
                {t('list.add_unknown_terminals')}
              </Button>
            )}
            <Button
              kind={unknownTerminals > 0 ? 'plain' : 'primary'}
              onPress={() => app.view.setState({ overlay: 'add_vehicle' })}
            >
              {t('vehicle.add_by_terminal')}
            </Button>
          </>
        ) : undefined
      }
    >
      {isDealer
        ? unknownTerminals > 0
          ? t('list.empty_unknown_terminals', { count: unknownTerminals })
          : t('list.empty_waiting')
        : t('list.empty_user')}
    </Notice>
  );
}

/** Nothing matches what is asked for; says so, and leads back. */
function VehicleListFiltered() {
  const app = useAppContext();
  const t = useT();
  const status = useStore(app.view, (state) => state.statusFilter);
  const groupId = useStore(app.view, (state) => state.groupId);
  const group = useStore(app.groups.store, (state) => (groupId === null ? null : state.byId.get(groupId)));
  const what =
    status === null ? t('list.no_vehicle') : t('list.no_vehicle_of', { status: t(`status.${status}`) });
  return (
    <Notice
      title={
        group == null ? t('list.filtered', { what }) : t('list.filtered_in', { what, group: group.name })
      }
      actions={
        <Button onPress={() => app.view.setState({ statusFilter: null, groupId: null })}>
          {groupId === null ? t('list.show_all') : t('list.show_all_groups')}
        </Button>
      }
    />
  );
}

/** A pointer that rests this long has stopped pointing. */
const REST_MS = 3_000;

/**
 * Keeps a list as it is while the pointer is over it, so that no row moves away from under a click. A change of
 * `filter` (the operator's own) goes through at once.
 */
function useFreezeOnHover<T>(
  value: T,
  filter: readonly unknown[],
): { shown: T; hold: (frozen: boolean) => void } {
  const [frozen, setFrozen] = useState(false);
  const [frozenState, setFrozenState] = useState({ value, filter });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const asRequested =
    frozenState.filter.length === filter.length &&
    frozenState.filter.every((it, index) => it === filter[index]);
  const mayMove = !frozen || !asRequested;
  if (mayMove && (frozenState.value !== value || !asRequested)) setFrozenState({ value, filter });

  return {
    shown: mayMove ? value : frozenState.value,
    hold(next) {
      clearTimeout(timer.current);
      setFrozen(next);
      if (next) timer.current = setTimeout(() => setFrozen(false), REST_MS);
    },
  };
}
