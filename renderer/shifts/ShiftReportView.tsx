import type { ReactNode } from 'react';
import type { ShiftReport } from '../../server/contract/shifts.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { formatDuration } from '../format/span.ts';
import { useT } from '../i18n/useT.ts';
import { writeHash, type ScreenName } from '../navigation/navigation.ts';
import { Moment } from '../ui/Moment.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import './Shifts.css';

/** The counts of a report, each with what it is made of. */
export function ReportSums({ report }: { report: ShiftReport }) {
  const t = useT();
  const { notifications, acknowledgements, open, incidents, clips, silent_vehicles } = report;
  const sums: (readonly [string, number, string | null])[] = [
    [t('shift.notifications'), notifications.total, t('shift.severities', notifications.by_severity)],
    [
      t('shift.acknowledged'),
      acknowledgements.total,
      acknowledgements.median_s === null
        ? null
        : `${t('shift.column.median')} ${formatDuration(acknowledgements.median_s * 1_000)}`,
    ],
    [t('shift.open'), open.total, t('shift.severities', open.by_severity)],
    [t('shift.incidents'), incidents.total, t('shift.incidents_open', { count: incidents.not_closed })],
    ...(clips === null ? [] : [[t('shift.clips'), clips.total, null] as const]),
    ...(silent_vehicles === null ? [] : [[t('shift.silent'), silent_vehicles.total, null] as const]),
  ];
  return (
    <dl className="shift-sums">
      {sums.map(([name, count, parts]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{formatNumber(count)}</b>
            {parts !== null && <span className="quiet">{parts}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What happened from one moment to another. */
export function ShiftReportView({ report }: { report: ShiftReport }) {
  const t = useT();
  const { notifications, acknowledgements, open, incidents, clips } = report;
  const { silent_vehicles, troubles, changes } = report;
  return (
    <div className="shift-report">
      {report.is_cut && <p className="shift-report__cut">{t('shift.cut')}</p>}
      <ReportSums report={report} />
      <Section
        title={t('shift.open_alarms')}
        total={open.by_severity.alarm + open.by_severity.warning}
        heads={[
          t('shift.column.severity'),
          t('shift.column.vehicle'),
          t('shift.column.rule'),
          t('shift.column.first'),
        ]}
        rows={open.items.map((it) => ({
          key: it.notification_id,
          cells: [
            <span className="shift-report__mark" key="mark">
              <SeverityMark severity={it.severity} /> {t(`severity.${it.severity}`)}
            </span>,
            <PlaceLink
              key="link"
              to="live"
              query={{ vehicle: it.vehicle_id, notification: it.notification_id }}
            >
              {it.vehicle_name ?? '–'}
            </PlaceLink>,
            it.count > 1 ? `${it.rule_name} ×${formatNumber(it.count)}` : it.rule_name,
            <Moment key="time" at={it.first_time} />,
          ],
        }))}
      />
      <Section
        title={t('shift.incidents')}
        total={incidents.total}
        heads={[
          t('shift.column.number'),
          t('shift.column.title'),
          t('shift.column.vehicle'),
          t('shift.column.status'),
          t('shift.column.owner'),
          t('shift.column.opened'),
        ]}
        rows={incidents.items.map((it) => ({
          key: it.incident_id,
          cells: [
            <span className="shift-report__mark" key="mark">
              <SeverityMark severity={it.severity} /> {t('incident.number', { number: it.number })}
            </span>,
            <PlaceLink key="link" to="incidents" query={{ id: it.incident_id }}>
              {it.title}
            </PlaceLink>,
            it.vehicle_name ?? '–',
            it.close_reason === null
              ? t(`incident.status.${it.status}`)
              : t('shift.incident_closed', { reason: it.close_reason }),
            it.owner_name ?? t('incident.nobody'),
            <Moment key="time" at={it.created_at} />,
          ],
        }))}
      />
      <Section
        title={t('shift.rules')}
        total={notifications.by_rule.length}
        heads={[t('shift.column.severity'), t('shift.column.rule'), t('shift.column.count')]}
        rows={notifications.by_rule.map((it) => ({
          key: `${it.rule_id} ${it.rule_name} ${it.severity}`,
          cells: [t(`severity.${it.severity}`), it.rule_name, formatNumber(it.count)],
        }))}
      />
      <Section
        title={t('shift.acknowledged_by')}
        total={acknowledgements.by_user.length}
        heads={[t('shift.column.person'), t('shift.column.count'), t('shift.column.median')]}
        rows={acknowledgements.by_user.map((it) => ({
          key: it.user_id,
          cells: [
            it.name,
            formatNumber(it.count),
            it.median_s === null ? '' : formatDuration(it.median_s * 1_000),
          ],
        }))}
      />
      {silent_vehicles !== null && (
        <Section
          title={t('shift.silent')}
          total={silent_vehicles.total}
          heads={[t('shift.column.vehicle'), t('shift.column.status'), t('shift.column.last_contact')]}
          rows={silent_vehicles.items.map((it) => ({
            key: it.vehicle_id,
            cells: [
              <PlaceLink key="link" to="live" query={{ vehicle: it.vehicle_id }}>
                {it.vehicle_name ?? '–'}
              </PlaceLink>,
              t(`status.${it.status}`),
              <Moment key="time" at={it.since} />,
            ],
          }))}
        />
      )}
      {clips !== null && (
        <Section
          title={t('shift.clips')}
          total={clips.total}
          heads={[
            t('shift.column.vehicle'),
            t('shift.column.channel'),
            t('shift.column.recording'),
            t('shift.column.status'),
            t('shift.column.requested_by'),
          ]}
          rows={clips.items.map((it) => ({
            key: it.task_id,
            cells: [
              <PlaceLink key="link" to="video" query={{ task: it.task_id }}>
                {it.vehicle_name ?? '–'}
              </PlaceLink>,
              formatNumber(it.channel),
              <Moment key="time" at={it.from} />,
              it.status === 'downloading' ? t('shift.clip_downloading') : t(`player.step.${it.status}`),
              it.ordered_by?.name ?? t('shift.column.rule'),
            ],
          }))}
        />
      )}
      {troubles !== null && (
        <Section
          title={t('shift.host_troubles')}
          total={troubles.total}
          heads={[t('shift.column.problem'), t('shift.column.since'), t('shift.column.ended')]}
          rows={troubles.items.map((it) => ({
            key: it.event_id,
            cells: [
              t(`health.${it.cause}`),
              <Moment key="from" at={it.began_at} />,
              it.ended_at === null ? '' : <Moment key="to" at={it.ended_at} />,
            ],
          }))}
        />
      )}
      {changes !== null && (
        <Section
          title={t('shift.changes')}
          total={changes.length}
          heads={[
            t('shift.column.person'),
            t('shift.column.kind'),
            t('shift.column.action'),
            t('shift.column.count'),
          ]}
          rows={changes.map((it) => ({
            key: `${it.user_id} ${it.kind} ${it.action}`,
            cells: [
              it.name,
              t(`audit.kind.${it.kind}`),
              t(`audit.action.${it.action}`),
              formatNumber(it.count),
            ],
          }))}
        />
      )}
    </div>
  );
}

function Section({
  title,
  total,
  heads,
  rows,
}: {
  title: string;
  total: number;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}) {
  const t = useT();
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="quiet">{formatNumber(total)}</span>
      </h3>
      {rows.length === 0 ? (
        <p className="quiet">{t('shift.none')}</p>
      ) : (
        <table className="shift-table">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head}>{head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, at) => (
                  <td key={heads[at]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {total > rows.length && (
        <p className="quiet">
          {t('shift.more', { shown: formatNumber(rows.length), total: formatNumber(total) })}
        </p>
      )}
    </section>
  );
}

/** Leads to where it is; a place that this window does not show is opened by the main one. */
function PlaceLink({
  to,
  query,
  children,
}: {
  to: ScreenName;
  query: Record<string, string | null>;
  children: ReactNode;
}) {
  const { navigation } = useAppContext();
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null);
  return (
    <a
      href={writeHash({ place: to, query: Object.fromEntries(given) })}
      onClick={(event) => {
        event.preventDefault();
        navigation.go(to, query);
      }}
    >
      {children}
    </a>
  );
}
