import { useCallback, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { incidentRoutes, type Incident } from '../../server/contract/incidents.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { createPagedList, usePagedList } from '../events/pagedList.ts';
import { formatNumber } from '../format/numbers.ts';
import { openIncidentMenu } from '../commands/contextMenus.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { useMenuRequests } from '../ui/ContextMenu.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Age, Moment } from '../ui/Moment.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Pane } from '../ui/Pane.tsx';
import { namedPeriod, type Period } from '../ui/period.ts';
import { PeriodField } from '../ui/PeriodField.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { TextField } from '../ui/TextField.tsx';
import { incidentSearch } from '../search/searches.ts';
import { ownerText } from './incidentWords.ts';
import { openIncidents } from './openIncidents.ts';

const VIEWS = ['open', 'mine', 'waiting', 'closed'] as const;
type View = (typeof VIEWS)[number];

const SKELETON = [
  [16, 32, 180, 40],
  [16, 32, 140, 40],
  [16, 32, 210, 40],
] as const;
const PAGE = 100;
const LONGEST_DAYS = 366;
/** Rows that are drawn at once: each counts its age. */
const SHOWN = 100;

/** Incidents to choose from: the open ones as they are now, closed ones of a period as the server finds them. */
export function IncidentList({ selectedId }: { selectedId: string | null }) {
  const app = useAppContext();
  const t = useT();
  const named = useStore(app.navigation.store, ({ query }) => query['show']);
  const view = VIEWS.find((it) => it === named) ?? 'open';
  const [text, setText] = useState('');
  const byId = useStore(app.incidents.store, (state) => state.byId);
  const counts = useMemo(() => {
    const open = openIncidents(byId);
    return { open, mine: open.filter((it) => isShown(it, 'mine', app)), waiting: open.filter(isWaiting) };
  }, [byId, app]);
  const select = (it: Incident) => app.navigation.note({ id: it.incident_id });
  return (
    <Pane
      name={t('incident.list')}
      className="incidents__list"
      head={
        <>
          <h2 className="unseen">{t('incident.list')}</h2>
          <SegmentedControl
            label={t('incident.show_which')}
            size="small"
            value={view}
            options={VIEWS.map((id) => ({
              id,
              label:
                id === 'closed'
                  ? t('incident.view.closed')
                  : t(`incident.view.${id}`, { count: counts[id].length }),
            }))}
            onChange={(id) => app.navigation.note({ show: id === 'open' ? null : id })}
          />
        </>
      }
    >
      <StaleBanner>{t('incident.stale_list')}</StaleBanner>
      <div className="incidents__tools">
        <TextField
          hiddenLabel
          type="search"
          label={t('incident.search')}
          placeholder={t('incident.search_hint')}
          value={text}
          onChange={setText}
          maxLength={100}
        />
      </div>
      {view === 'closed' ? (
        <ClosedIncidents text={text} selectedId={selectedId} onSelect={select} />
      ) : (
        <OpenRows
          incidents={counts[view]}
          view={view}
          text={text}
          selectedId={selectedId}
          onSelect={select}
          onShowAll={() => {
            setText('');
            app.navigation.note({ show: null });
          }}
        />
      )}
    </Pane>
  );
}

const isWaiting = (it: Incident): boolean => it.status === 'waiting';
const isShown = (it: Incident, view: View, app: AppContext): boolean =>
  view === 'mine' ? it.owner_id === app.user.user_id : view !== 'waiting' || isWaiting(it);

function OpenRows({
  incidents,
  view,
  text,
  selectedId,
  onSelect,
  onShowAll,
}: {
  incidents: readonly Incident[];
  view: Exclude<View, 'closed'>;
  text: string;
  selectedId: string | null;
  onSelect: (incident: Incident) => void;
  onShowAll: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const load = useStore(app.incidents.store, (state) => state.load);
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const rows = useMemo(() => incidentSearch(vehicles).filter(incidents, text), [incidents, text, vehicles]);

  if (incidents.length === 0 && load.phase === 'failed') {
    return (
      <LoadFailure
        title={t('incident.failed')}
        stillWorks={t('incident.failed_still')}
        error={load.error}
        nextTryAt={load.nextTryAt}
        onRetry={() => app.retry('incidents')}
      />
    );
  }
  if (incidents.length === 0 && load.phase === 'loading')
    return (
      <SkeletonRows className="incident-skeleton" widths={SKELETON} rows={6} label={t('incident.loading')} />
    );
  if (incidents.length === 0 && view === 'open')
    return <Notice title={t('incident.empty')}>{t('incident.empty_how')}</Notice>;
  if (rows.length === 0)
    return (
      <Notice
        title={t('incident.none_match')}
        actions={<Button onPress={onShowAll}>{t('incident.show_all')}</Button>}
      />
    );
  return <IncidentRows rows={rows} selectedId={selectedId} onSelect={onSelect} />;
}

function ClosedIncidents({
  text,
  selectedId,
  onSelect,
}: {
  text: string;
  selectedId: string | null;
  onSelect: (incident: Incident) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const [period, setPeriod] = useState<Period>(() => namedPeriod('week', app.serverTime.now(), time));
  const q = text.trim();
  const list = useMemo(() => {
    const from = new Date(period.from).toISOString();
    const to = new Date(period.to).toISOString();
    return createPagedList<Incident>({
      clock: app.clock,
      idOf: (it) => it.incident_id,
      timeOf: (it) => it.created_at,
      // What the search finds, the server knows alone.
      accepts: (it) => it.status === 'closed' && it.created_at >= from,
      read: (cursor, signal) =>
        app.api.request(incidentRoutes.list, {
          query: { limit: PAGE, cursor, status: 'closed', from, to, ...(q === '' ? {} : { q }) },
          signal,
        }),
    });
  }, [app, period, q]);
  const listen = useCallback(
    (take: (it: Incident) => void) =>
      app.stream.on('incident', (message) => {
        if ('deleted' in message) list.drop(message.incident_id);
        else if (q === '') take(message);
      }),
    [app, list, q],
  );
  const { rows, fresh, load, rest } = usePagedList(list, listen);
  const known = useStore(app.incidents.store, (state) => state.byId);
  const shown = useMemo(
    () =>
      [...fresh, ...rows].map(({ id, item }) => known.get(id) ?? item).filter((it) => it.status === 'closed'),
    [rows, fresh, known],
  );
  const select = (it: Incident) => {
    app.incidents.put([it]);
    onSelect(it);
  };
  return (
    <>
      <div className="incidents__tools">
        <PeriodField value={period} maxDays={LONGEST_DAYS} onChange={setPeriod} />
      </div>
      {load.phase === 'failed' && shown.length === 0 ? (
        <LoadFailure
          title={t('incident.failed')}
          stillWorks={t('incident.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => list.retry()}
        />
      ) : load.phase === 'loading' && shown.length === 0 ? (
        <SkeletonRows
          className="incident-skeleton"
          widths={SKELETON}
          rows={6}
          label={t('incident.loading')}
        />
      ) : shown.length === 0 ? (
        <Notice title={t('incident.none_closed')}>{t('incident.none_closed_how')}</Notice>
      ) : (
        <IncidentRows rows={shown} selectedId={selectedId} onSelect={select} />
      )}
      {(rest === 'some' || rest === 'paused') && (
        <div className="pane__foot">
          <Button size="small" onPress={() => list.more(true)}>
            {t('incident.older')}
          </Button>
        </div>
      )}
      {rest === 'failed' && (
        <div className="pane__foot" role="status">
          <span>{t('events.more_failed')}</span>
          <RetryButton size="small" onRetry={() => list.more(true)} />
        </div>
      )}
    </>
  );
}

/** Rows of which one is selected; arrows, Home and End move the selection. */
function IncidentRows({
  rows,
  selectedId,
  onSelect,
}: {
  rows: readonly Incident[];
  selectedId: string | null;
  onSelect: (incident: Incident) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const base = useId();
  const [most, setMost] = useState(SHOWN);
  const at = rows.findIndex((it) => it.incident_id === selectedId);
  const target: Record<string, number> = {
    ArrowDown: Math.min(at + 1, rows.length - 1),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: rows.length - 1,
  };
  const selected = rows[at];
  const requests = useMenuRequests(
    ({ target, x, y }) => {
      const row = rows.find((it) => target.closest(`[id="${base}-${it.incident_id}"]`) !== null);
      return row !== undefined && openIncidentMenu(app, row, { x, y });
    },
    () => (selected === undefined ? null : document.getElementById(`${base}-${selected.incident_id}`)),
  );
  const shown = rows.slice(0, Math.max(most, at + 1));
  return (
    <>
      <div
        className="incidents__rows"
        role="listbox"
        tabIndex={0}
        aria-label={t('incident.list')}
        {...(selected === undefined ? {} : { 'aria-activedescendant': `${base}-${selected.incident_id}` })}
        {...requests}
        onKeyDown={(event) => {
          const next = rows[target[event.key] ?? -1];
          if (next === undefined) return;
          event.preventDefault();
          onSelect(next);
          document.getElementById(`${base}-${next.incident_id}`)?.scrollIntoView({ block: 'nearest' });
        }}
      >
        {shown.map((it) => (
          <IncidentRow
            key={it.incident_id}
            id={`${base}-${it.incident_id}`}
            incident={it}
            isSelected={it === selected}
            onSelect={() => onSelect(it)}
          />
        ))}
      </div>
      {shown.length < rows.length && (
        <div className="pane__foot">
          <span className="fill" role="status">
            {t('resources.shown', { shown: formatNumber(shown.length), all: formatNumber(rows.length) })}
          </span>
          <Button size="small" onPress={() => setMost(most + SHOWN)}>
            {t('incident.show_more')}
          </Button>
        </div>
      )}
    </>
  );
}

function IncidentRow({
  id,
  incident,
  isSelected,
  onSelect,
}: {
  id: string;
  incident: Incident;
  isSelected: boolean;
  onSelect: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useStore(app.vehicles.store, (state) => state.byId.get(incident.vehicle_id ?? '')?.name);
  const { number, title, severity, status, owner_id, close_reason, created_at, closed_at } = incident;
  return (
    <div id={id} role="option" aria-selected={isSelected} className="incident-row" onClick={onSelect}>
      <SeverityMark severity={severity} />
      <span className="strong num">{t('incident.number', { number })}</span>
      <span className="strong ellipsis" title={title}>
        {title}
      </span>
      <span className="incident-row__age quiet">
        {closed_at === null ? <Age since={Date.parse(created_at)} short /> : <Moment at={closed_at} />}
      </span>
      <span className="incident-row__about ellipsis">
        {vehicle !== undefined && <span>{vehicle} · </span>}
        <span className={owner_id === null && status !== 'closed' ? 'strong' : 'quiet'}>
          {ownerText(incident, t)}
        </span>
      </span>
      <span className="incident-row__status quiet ellipsis" title={close_reason ?? undefined}>
        {close_reason ?? t(`incident.status.${status}`)}
      </span>
    </div>
  );
}
