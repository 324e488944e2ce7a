import { Ellipsis, Link as LinkIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { incidentRoutes, type Incident, type IncidentStatus } from '../../server/contract/incidents.ts';
import type { Notification } from '../../server/contract/notifications.ts';
import { isProblem } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { shareLink } from '../navigation/appLinks.ts';
import { WhyDialog } from '../notifications/WhyView.tsx';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { Age } from '../ui/Moment.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { SeverityMark } from '../ui/SeverityMark.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { attempt, changeIncident, reopenIncident, saveIncident, takeIncident } from './incidentActions.ts';
import { IncidentAlarms } from './IncidentAlarms.tsx';
import { IncidentChecklist } from './IncidentChecklist.tsx';
import { IncidentClips } from './IncidentClips.tsx';
import { IncidentFacts } from './IncidentFacts.tsx';
import { IncidentLog } from './IncidentLog.tsx';
import { IncidentSnapshots } from './IncidentSnapshots.tsx';
import { OwnerMenu } from './OwnerMenu.tsx';
import { mayWork } from './incidentCommands.ts';

/** One incident with all that belongs to it, and what can be done with it. */
export function IncidentPanel({ incidentId }: { incidentId: string }) {
  const { incidents } = useAppContext();
  const t = useT();
  const incident = useStore(incidents.store, (state) => state.byId.get(incidentId));
  const { load, retry } = useIncident(incidentId, incident !== undefined);
  if (incident !== undefined) return <KnownIncident incident={incident} />;
  return (
    <section className="pane incident" aria-label={t('incident.one')} data-pane tabIndex={-1}>
      {load.phase === 'failed' &&
        (isProblem(load.error, 'not_found', 'forbidden') ? (
          <Notice title={t('incident.gone')}>{t('incident.gone_how')}</Notice>
        ) : (
          <LoadFailure
            title={t('incident.one_failed')}
            stillWorks={t('incident.failed_still')}
            error={load.error}
            nextTryAt={load.nextTryAt}
            onRetry={retry}
          />
        ))}
    </section>
  );
}

/** Reads one that the list does not hold: it was closed long ago, or the address came before the list. */
function useIncident(incidentId: string, isKnown: boolean): { load: LoadState; retry: () => void } {
  const { api, clock, incidents } = useAppContext();
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (isKnown) return;
    const loader = createLoader({
      clock,
      read: (signal) => api.request(incidentRoutes.get, { params: { incident_id: incidentId }, signal }),
      take: ({ timeline: _, ...found }) => incidents.put([found]),
      onState: setLoad,
    });
    loader.load();
    return () => loader.stop();
  }, [api, clock, incidents, incidentId, isKnown, tries]);
  return { load, retry: () => setTries(tries + 1) };
}

function KnownIncident({ incident }: { incident: Incident }) {
  const t = useT();
  const [why, setWhy] = useState<Notification | null>(null);
  const { incident_id, number, title } = incident;
  return (
    <section
      className="pane incident"
      aria-label={t('incident.named', { number, title })}
      data-pane
      tabIndex={-1}
    >
      <IncidentHead incident={incident} />
      <StaleBanner>{t('incident.stale')}</StaleBanner>
      <div className="incident__parts">
        <div className="incident__facts" tabIndex={0} role="group" aria-label={t('incident.facts')}>
          <IncidentFacts incident={incident} />
          <IncidentChecklist incident={incident} />
          <IncidentAlarms incident={incident} onWhy={setWhy} />
          <IncidentClips incident={incident} />
          <IncidentSnapshots incident={incident} />
        </div>
        <IncidentLog key={incident_id} incident={incident} />
      </div>
      {why !== null && <WhyDialog notification={why} onClose={() => setWhy(null)} />}
    </section>
  );
}

const STATUSES = ['open', 'in_progress', 'waiting'] as const;

function IncidentHead({ incident }: { incident: Incident }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const { number, title, severity, status, created_at, closed_at, close_reason } = incident;
  const mayAct = mayWork(app);
  const isClosed = status === 'closed';
  return (
    <>
      <div className="incident__head">
        <SeverityMark severity={severity} />
        <h2 className="ellipsis" title={title}>
          <span className="num">{t('incident.number', { number })}</span> {title}
        </h2>
        <span className="quiet incident__age">
          <Age since={Date.parse(created_at)} />
        </span>
        <span className="fill" />
        <IconButton
          icon={LinkIcon}
          label={t('incident.copy_link')}
          onPress={() =>
            void app.platform.copyText(shareLink(app, 'incidents', { id: incident.incident_id }))
          }
        />
        <MenuButton
          size="normal"
          label={t('incident.more')}
          entries={[
            {
              id: 'edit',
              label: t('command.incident_edit'),
              disabled: lost || !mayAct || isClosed,
              run: () => app.view.setState({ overlay: 'edit_incident' }),
            },
            ...(['pdf', 'evidence'] as const).map((as) => ({
              id: as,
              label: t(`command.incident_${as}`),
              disabled: lost,
              run: () => saveIncident(app, incident, as),
            })),
          ]}
        >
          <Icon of={Ellipsis} />
        </MenuButton>
      </div>
      <div className="incident__bar">
        {isClosed ? (
          <>
            <span className="strong">{t('incident.closed', { reason: close_reason ?? '' })}</span>
            {closed_at !== null && (
              <span className="quiet">
                <Age since={Date.parse(closed_at)} />
              </span>
            )}
            <span className="fill" />
            {mayAct && (
              <Button
                size="small"
                keycap="Shift C"
                disabled={lost}
                onPress={() => attempt(app, () => reopenIncident(app, incident))}
              >
                {t('incident.reopen')}
              </Button>
            )}
          </>
        ) : (
          <>
            <SegmentedControl<Exclude<IncidentStatus, 'closed'>>
              label={t('incident.status')}
              size="small"
              value={status}
              options={STATUSES.map((id) => ({
                id,
                label: t(`incident.status.${id}`),
                disabled: lost || !mayAct,
              }))}
              onChange={(next) => attempt(app, () => changeIncident(app, incident, { status: next }))}
            />
            <OwnerMenu incident={incident} disabled={lost || !mayAct} />
            {mayAct && incident.owner_id !== app.user.user_id && (
              <Button
                size="small"
                kind={incident.owner_id === null ? 'primary' : 'plain'}
                keycap="T"
                disabled={lost}
                onPress={() => takeIncident(app, incident)}
              >
                {t('incident.take')}
              </Button>
            )}
            <span className="fill" />
            {mayAct && (
              <Button
                size="small"
                keycap="C"
                disabled={lost}
                onPress={() => app.view.setState({ overlay: 'close_incident' })}
              >
                {t('incident.close')}
              </Button>
            )}
          </>
        )}
      </div>
    </>
  );
}
