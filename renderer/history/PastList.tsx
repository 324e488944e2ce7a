import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useStore } from 'zustand';
import type { PastVehicle } from '../../server/contract/history.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatShortAge } from '../format/age.ts';
import { formatSpeed } from '../format/numbers.ts';
import { GroupChoice } from '../groups/GroupChoice.tsx';
import { useT } from '../i18n/useT.ts';
import { VehicleGlyph } from '../map/glyphs/VehicleGlyph.tsx';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { NameAndPlace, nameWidthPx } from '../vehicles/VehicleRow.tsx';
import { locatePast } from './historyActions.ts';
import '../vehicles/VehicleList.css';

const ROW_PX = 32;
const STATUSES = ['moving', 'idle', 'stopped', 'offline'] as const;
const SKELETON = [[12, 16, 32, 70, 56, 28]] as const;

/** The vehicles at the instant, by their names of then. */
export function PastList() {
  const app = useAppContext();
  const t = useT();
  const { history } = app;
  const moment = useStore(history.store, (state) => state.moment);
  const all = useStore(history.store, (state) => state.vehicles);
  const load = useStore(history.store, (state) => state.momentLoad);
  const groupId = useStore(history.store, (state) => state.groupId);
  const status = useStore(history.store, (state) => state.statusFilter);
  const onlyChosen = useStore(history.store, (state) => state.onlyChosen);
  const chosenIds = useStore(history.store, (state) => state.chosenIds);
  const counts = useStore(history.store, (state) => state.counts);
  const shownAt = useStore(history.store, (state) => state.shownAt);
  const nameWidth = useMemo(() => nameWidthPx(all), [all]);
  const vehicles = useMemo(
    () =>
      history
        .vehiclesShown()
        .filter((it) => status === null || history.states.get(it.vehicle_id)?.status === status),
    // The states are those of `shownAt`.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shownAt`: states are those of the instant
    [history, all, groupId, status, shownAt, onlyChosen, chosenIds],
  );
  return (
    <Pane
      name={t('history.vehicles')}
      className="vehicle-list"
      head={
        <>
          <h2>{t('history.vehicles')}</h2>
          {moment !== null && <span className="faint">{t('history.were', { count: all.length })}</span>}
          <span className="fill" />
          <GroupChoice value={groupId} onChange={(id) => history.filter({ groupId: id })} />
        </>
      }
    >
      {load.phase === 'failed' && moment === null ? (
        <LoadFailure
          title={t('history.list_failed')}
          stillWorks={t('history.list_failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={history.retry}
        />
      ) : (
        <div className="vehicle-list__body" style={{ '--name-width': `${nameWidth}px` }}>
          <div className="status-filter past-filter" role="group" aria-label={t('list.filter')}>
            {STATUSES.map((it) => (
              <ToggleButton
                key={it}
                className="status-filter__one"
                isSelected={status === it}
                onChange={(on) => history.filter({ statusFilter: on ? it : null })}
                aria-label={t('list.filter_count', { status: t(`status.${it}`), number: counts[it] })}
              >
                <span className="status-filter__count">
                  <VehicleGlyph state={it} size={16} course={it === 'moving' ? 0 : null} />
                  {counts[it]}
                </span>
                <span className="status-filter__word">{t(`status.${it}`)}</span>
              </ToggleButton>
            ))}
          </div>
          <div className="vehicle-row vehicle-row--head past-row" aria-hidden>
            <span />
            <span />
            <span>{t('list.column.vehicle')}</span>
            <span className="ellipsis">{t('list.column.place')}</span>
            <span className="to-right">{t('list.column.speed')}</span>
            <span className="to-right">{t('history.fix')}</span>
          </div>
          {moment === null ? (
            <SkeletonRows
              className="vehicle-row past-row"
              widths={SKELETON}
              rows={12}
              label={t('list.loading')}
            />
          ) : vehicles.length === 0 ? (
            <Notice
              title={t(status === null ? 'history.list_empty' : 'history.list_filtered')}
              actions={
                <Button
                  onPress={() => history.filter({ statusFilter: null, groupId: null, onlyChosen: false })}
                >
                  {t('history.show_all')}
                </Button>
              }
            />
          ) : (
            <Rows vehicles={vehicles} />
          )}
          <Chosen />
        </div>
      )}
    </Pane>
  );
}

/** What can be done with several that are selected. */
function Chosen() {
  const { history } = useAppContext();
  const t = useT();
  const count = useStore(history.store, (state) => state.chosenIds.length);
  const onlyChosen = useStore(history.store, (state) => state.onlyChosen);
  if (count < 2 && !onlyChosen) return null;
  return (
    <div className="pane__foot past-chosen">
      <span className="strong">{t('history.selected', { count })}</span>
      <span className="fill" />
      <Button size="small" onPress={() => history.filter({ onlyChosen: !onlyChosen })}>
        {t(onlyChosen ? 'history.show_all' : 'history.only_selected')}
      </Button>
      <Button size="small" kind="quiet" onPress={() => history.select(null)}>
        {t('history.clear_selection')}
      </Button>
    </div>
  );
}

function Rows({ vehicles }: { vehicles: readonly PastVehicle[] }) {
  const app = useAppContext();
  const t = useT();
  const { history } = app;
  const scroller = useRef<HTMLDivElement>(null);
  const selectedId = useStore(history.store, (state) => state.vehicleId);
  const chosenIds = useStore(history.store, (state) => state.chosenIds);
  /** Where Ctrl with the arrows has gone without a choice; null: to the one that is selected. */
  const [reachedId, setReached] = useState<string | null>(null);
  const activeId = reachedId ?? selectedId;
  const virtual = useVirtualizer({
    count: vehicles.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => vehicles[index]?.vehicle_id ?? index,
    overscan: 8,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12 }[event.key];
    const isCtrl = event.ctrlKey || event.metaKey;
    if (event.key === 'Enter') locatePast(app);
    if (event.key === ' ' && isCtrl && activeId !== null) {
      event.preventDefault();
      history.select(activeId, 'toggle');
    }
    if (step === undefined) return;
    event.preventDefault();
    const at = vehicles.findIndex((it) => it.vehicle_id === activeId);
    const next = Math.min(vehicles.length - 1, Math.max(0, at + step));
    const nextId = vehicles[next]?.vehicle_id ?? null;
    setReached(isCtrl ? nextId : null);
    if (!isCtrl) history.select(nextId, event.shiftKey ? 'range' : 'only');
    virtual.scrollToIndex(next);
  };
  return (
    <div
      ref={scroller}
      className="vehicle-list__rows"
      role="listbox"
      aria-label={t('history.vehicles')}
      aria-multiselectable
      tabIndex={0}
      aria-activedescendant={activeId === null ? undefined : `past-${activeId}`}
      onKeyDown={onKeyDown}
      onPointerDown={() => setReached(null)}
    >
      <div className="vehicle-list__all" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const vehicle = vehicles[item.index];
          return (
            vehicle !== undefined && (
              <div
                key={item.key}
                className="vehicle-list__line"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <PastRow
                  vehicle={vehicle}
                  selected={chosenIds.includes(vehicle.vehicle_id)}
                  reached={vehicle.vehicle_id === reachedId}
                />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

function PastRow({
  vehicle,
  selected,
  reached,
}: {
  vehicle: PastVehicle;
  selected: boolean;
  reached: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  const { history } = app;
  const shownAt = useStore(history.store, (state) => state.shownAt);
  // Addresses are asked for where the instant rests, not for all that it passes.
  const rests = useStore(history.store, (state) => state.restAt !== null);
  useStore(app.places.edition, (state) => state.number);
  const id = vehicle.vehicle_id;
  const state = history.states.get(id);
  const status = state?.status ?? 'never';
  const place = state === undefined || !rests ? '' : app.places.at(state.lat, state.lon);
  return (
    <div
      id={`past-${id}`}
      role="option"
      aria-selected={selected}
      className={reached ? 'vehicle-row past-row past-row--reached' : 'vehicle-row past-row'}
      onClick={({ shiftKey, ctrlKey, metaKey }) =>
        history.select(id, shiftKey ? 'range' : ctrlKey || metaKey ? 'toggle' : 'only')
      }
      onDoubleClick={() => locatePast(app)}
    >
      <span
        className="past-row__box"
        title={t('history.select_also')}
        aria-hidden
        onClick={(event) => {
          event.stopPropagation();
          history.select(id, 'toggle');
        }}
      >
        <i />
      </span>
      <VehicleGlyph state={status} course={state?.courseDeg ?? null} label={t(`status.${status}`)} />
      <NameAndPlace name={vehicle.name} place={place} />
      <span className="to-right">
        {status === 'moving' && state?.speedKmh != null ? formatSpeed(state.speedKmh) : t(`status.${status}`)}
      </span>
      <span className="vehicle-row__age">
        {state === undefined ? '–' : state.isHeard ? '' : formatShortAge(Math.max(0, shownAt - state.fixAt))}
      </span>
    </div>
  );
}
