import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import {
  auditAction,
  auditKind,
  auditRoutes,
  longestAuditDays,
  type AuditAction,
  type AuditEntry,
  type AuditKind,
} from '../../server/contract/audit.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { createPagedList, usePagedList, type Listed } from '../events/pagedList.ts';
import { useT } from '../i18n/useT.ts';
import { ResourceScreen } from '../resources/ResourceScreen.tsx';
import { SidePanel } from '../resources/SidePanel.tsx';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { Facts } from '../ui/Facts.tsx';
import { Failure } from '../ui/Form.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { Moment } from '../ui/Moment.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PeriodField } from '../ui/PeriodField.tsx';
import { Choice } from '../ui/Select.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { namedPeriod, type Period } from '../ui/period.ts';
import './AuditTab.css';

const ALL = 'all';
const PAGE = 200;
const SOON_MS = 60_000;
const SKELETON = [[112, 80, 96, 64, 72, 160]] as const;
const NEWEST_FIRST = { id: 'time', desc: true };
const keyOf = ({ id }: Listed<AuditEntry>) => id;
/** No message of the stream is an entry. */
const listensToNothing = () => () => undefined;

interface Filters {
  period: Period;
  /** It was chosen to end now, and goes on with the time. */
  isOpen: boolean;
  actor: string | null;
  kind: AuditKind | null;
  action: AuditAction | null;
  entity_id: string | null;
}

const queryOf = ({ period, isOpen, actor, kind, action, entity_id }: Filters, now: number) => ({
  from: new Date(period.from).toISOString(),
  to: new Date(isOpen ? now + SOON_MS : period.to).toISOString(),
  ...(actor !== null && { actor }),
  ...(kind !== null && { kind }),
  ...(action !== null && { action }),
  ...(entity_id !== null && { entity_id }),
});

/** Who changed or exported what, from where; of a row what it was before and after. */
export function AuditTab() {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const unfiltered = (): Filters => ({
    period: namedPeriod('month', app.serverTime.now(), time),
    isOpen: true,
    actor: null,
    kind: null,
    action: null,
    entity_id: null,
  });
  const [filters, setFilters] = useState(unfiltered);
  const [selected, setSelected] = useState<AuditEntry | null>(null);
  const list = useMemo(
    () =>
      createPagedList<AuditEntry>({
        clock: app.clock,
        idOf: (it) => String(it.audit_id).padStart(16, '0'),
        timeOf: (it) => it.time,
        accepts: () => true,
        read: (cursor, signal) =>
          app.api.request(auditRoutes.list, {
            query: { ...queryOf(filters, app.serverTime.now()), limit: PAGE, cursor },
            signal,
          }),
      }),
    [app, filters],
  );
  const { rows, load, rest } = usePagedList(list, listensToNothing);
  const columns = useColumns();
  const change = (part: Partial<Filters>) => setFilters((before) => ({ ...before, ...part }));
  return (
    <ResourceScreen
      onClose={() => setSelected(null)}
      side={
        selected !== null && (
          <EntryPanel
            entry={selected}
            onClose={() => setSelected(null)}
            onEntity={(entity_id) => change({ entity_id })}
          />
        )
      }
    >
      <div className="audit">
        <StaleBanner>{t('audit.stale')}</StaleBanner>
        <AuditFilters filters={filters} onChange={change} />
        {load.phase === 'failed' && rows.length === 0 ? (
          <LoadFailure
            title={t('audit.failed')}
            stillWorks={t('audit.failed_still')}
            error={load.error}
            nextTryAt={load.nextTryAt}
            onRetry={() => list.retry()}
          />
        ) : load.phase === 'loading' && rows.length === 0 ? (
          <SkeletonRows className="manage__skeleton" widths={SKELETON} rows={12} label={t('audit.loading')} />
        ) : rows.length === 0 ? (
          <Notice
            title={t('audit.empty')}
            actions={<Button onPress={() => setFilters(unfiltered())}>{t('audit.show_all')}</Button>}
          />
        ) : (
          <DataTable
            name={t('audit.title')}
            columns={columns}
            rows={rows}
            keyOf={keyOf}
            selectedKey={rows.find((it) => it.item === selected)?.id ?? null}
            onSelect={({ item }) => setSelected(item)}
            initialSort={NEWEST_FIRST}
            onEnd={rest === 'some' ? () => list.more() : null}
          />
        )}
        {rest === 'failed' && (
          <div className="manage__foot" role="status">
            <span>{t('audit.more_failed')}</span>
            <Button onPress={() => list.more(true)}>{t('audit.more')}</Button>
          </div>
        )}
      </div>
    </ResourceScreen>
  );
}

function AuditFilters({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const users = useStore(app.users.store, (state) => state.byId);
  const all = { id: ALL, label: t('audit.all') } as const;
  const { busy, sentence, run } = useAction();
  const save = () =>
    run(async () => {
      const response = await app.api.open(auditRoutes.export, {
        query: queryOf(filters, app.serverTime.now()),
      });
      const given = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
      await app.platform.saveFile(given ?? 'audit.csv', await response.blob());
    });
  return (
    <div className="manage__tools audit__filters" role="group" aria-label={t('audit.filters')}>
      <PeriodField
        value={filters.period}
        maxDays={longestAuditDays}
        onChange={(period) => onChange({ period, isOpen: period.to > app.serverTime.now() - SOON_MS })}
      />
      <Choice
        label={t('audit.user')}
        value={filters.actor ?? ALL}
        options={[all, ...[...users.values()].map((it) => ({ id: it.user_id, label: it.login }))]}
        onChange={(id) => onChange({ actor: id === ALL ? null : id })}
      />
      <Choice
        label={t('audit.kind')}
        value={filters.kind ?? ALL}
        options={[all, ...auditKind.options.map((id) => ({ id, label: t(`audit.kind.${id}`) }))]}
        onChange={(id) => onChange({ kind: id === ALL ? null : id })}
      />
      <Choice
        label={t('audit.action')}
        value={filters.action ?? ALL}
        options={[all, ...auditAction.options.map((id) => ({ id, label: t(`audit.action.${id}`) }))]}
        onChange={(id) => onChange({ action: id === ALL ? null : id })}
      />
      {filters.entity_id !== null && (
        <Button onPress={() => onChange({ entity_id: null })}>{t('audit.show_all')}</Button>
      )}
      <span className="fill" />
      <Failure>{sentence}</Failure>
      <Button icon={Download} disabled={busy} onPress={() => void save()}>
        {t('audit.save_csv')}
      </Button>
    </div>
  );
}

function useColumns(): readonly Column<Listed<AuditEntry>>[] {
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const minute = Math.floor(now / 60_000);
  return useMemo(
    () => [
      {
        id: 'time',
        head: t('audit.time'),
        value: ({ id }) => id,
        cell: ({ item }) => time.moment(Date.parse(item.time), minute * 60_000),
        width: 'var(--moment-width)',
      },
      {
        id: 'user',
        head: t('audit.user'),
        value: ({ item: { actor, token } }) =>
          token === null ? actor.login : t('audit.by_token', { login: actor.login, token: token.name }),
        width: 'minmax(96px, 1fr)',
      },
      {
        id: 'action',
        head: t('audit.action'),
        value: ({ item }) => t(`audit.action.${item.action}`),
        width: '88px',
      },
      {
        id: 'kind',
        head: t('audit.kind'),
        value: ({ item }) => t(`audit.kind.${item.kind}`),
        width: '128px',
      },
      {
        id: 'entity',
        head: t('audit.entity'),
        value: ({ item }) => item.entity_name ?? item.entity_id,
        width: 'minmax(120px, 1.5fr)',
      },
      {
        id: 'fields',
        head: t('audit.fields'),
        value: ({ item }) => fieldsOf(item).join(', '),
        width: 'minmax(120px, 2fr)',
      },
      { id: 'address', head: t('audit.address'), value: ({ item }) => item.address, width: '120px' },
    ],
    [t, time, minute],
  );
}

const fieldsOf = ({ before, after }: AuditEntry) => [...new Set(Object.keys({ ...before, ...after }))];

function EntryPanel({
  entry,
  onClose,
  onEntity,
}: {
  entry: AuditEntry;
  onClose: () => void;
  onEntity: (entityId: string) => void;
}) {
  const t = useT();
  const { actor, token, before, after } = entry;
  const fields = fieldsOf(entry);
  return (
    <SidePanel
      label={t('audit.entry')}
      title={entry.entity_name ?? t(`audit.kind.${entry.kind}`)}
      onClose={onClose}
    >
      <div className="manage__side-body">
        <section className="manage__section">
          <Facts
            facts={[
              [t('audit.time'), <Moment key="time" at={entry.time} />],
              [
                t('audit.user'),
                token === null ? actor.login : t('audit.by_token', { login: actor.login, token: token.name }),
              ],
              [t('audit.address'), entry.address],
              [t('audit.action'), t(`audit.action.${entry.action}`)],
              [t('audit.kind'), t(`audit.kind.${entry.kind}`)],
              [t('audit.id'), entry.entity_id],
            ]}
          />
          <div>
            <Button size="small" onPress={() => onEntity(entry.entity_id)}>
              {t('audit.of_entity')}
            </Button>
          </div>
        </section>
        <section className="manage__section">
          {fields.length === 0 ? (
            <p className="quiet">{t('audit.erased')}</p>
          ) : (
            <table className="audit__fields">
              <thead>
                <tr>
                  <th scope="col">{t('audit.field')}</th>
                  <th scope="col">{t('audit.before')}</th>
                  <th scope="col">{t('audit.after')}</th>
                </tr>
              </thead>
              <tbody>
                {fields.map((name) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>
                      <Value of={before?.[name]} />
                    </td>
                    <td>
                      <Value of={after?.[name]} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </section>
      </div>
    </SidePanel>
  );
}

function Value({ of }: { of: unknown }) {
  const t = useT();
  if (of === undefined || of === null) return <span className="faint">–</span>;
  if (of === 'changed') return <span className="faint">{t('audit.hidden')}</span>;
  return <>{typeof of === 'string' ? of : JSON.stringify(of)}</>;
}
