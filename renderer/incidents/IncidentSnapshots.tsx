import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Incident, IncidentSnapshot } from '../../server/contract/incidents.ts';
import { snapshotRoutes } from '../../server/contract/incidentSnapshots.ts';
import { isAbort } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Modal } from '../ui/Modal.tsx';
import { attempt } from './incidentActions.ts';
import { mayWork } from './incidentCommands.ts';

/** Pictures that are read at once: fifty may be attached. */
const SHOWN = 6;

/** The attached snapshots, the newest first; each opens large. */
export function IncidentSnapshots({ incident }: { incident: Incident }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<string | null>(null);
  const { incident_id, snapshots } = incident;
  if (snapshots.length === 0) return null;
  const newest = snapshots.toReversed();
  const large = snapshots.find((it) => it.snapshot_id === open);
  return (
    <section className="incident__section" aria-label={t('incident.snapshots')}>
      <div className="incident__title">
        <h3 className="fill">{t('incident.snapshots')}</h3>
        {snapshots.length > SHOWN && (
          <Button size="small" kind="quiet" onPress={() => setAll(!all)}>
            {all ? t('panel.events_fewer') : t('panel.events_all', { number: snapshots.length })}
          </Button>
        )}
      </div>
      <ul className="incident-snapshots">
        {(all ? newest : newest.slice(0, SHOWN)).map((it) => (
          <li key={it.snapshot_id}>
            <button type="button" className="incident-snapshot" onClick={() => setOpen(it.snapshot_id)}>
              <Picture incidentId={incident_id} snapshot={it} />
            </button>
          </li>
        ))}
      </ul>
      {large !== undefined && (
        <SnapshotDialog incident={incident} snapshot={large} onClose={() => setOpen(null)} />
      )}
    </section>
  );
}

/** What a snapshot shows, in words: when, of which vehicle, and which channel or the map. */
function useSnapshotWords({ kind, time, vehicle_id, channel }: IncidentSnapshot): string {
  const app = useAppContext();
  const t = useT();
  const depotTime = useDepotTime();
  const now = useNow();
  const vehicle = useStore(app.vehicles.store, ({ byId }) => byId.get(vehicle_id ?? '')?.name);
  const what = kind === 'map' ? t('map.title') : channel === null ? '' : t('kept.channel', { channel });
  return [depotTime.moment(Date.parse(time), now), vehicle, what].filter(Boolean).join(', ');
}

function Picture({ incidentId, snapshot }: { incidentId: string; snapshot: IncidentSnapshot }) {
  const t = useT();
  const words = useSnapshotWords(snapshot);
  const { url, hasFailed } = usePicture(incidentId, snapshot.snapshot_id);
  if (hasFailed)
    return (
      <span className="quiet small">
        {words}. {t('incident.snapshot_failed')}
      </span>
    );
  return url === null ? <span className="unseen">{words}</span> : <img src={url} alt={words} title={words} />;
}

/** The bytes of a snapshot, which never change, as an address for as long as it is shown. */
function usePicture(incident_id: string, snapshot_id: string): { url: string | null; hasFailed: boolean } {
  const { api } = useAppContext();
  const isLost = useLostSince() !== null;
  const [url, setUrl] = useState<string | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const isMissing = url === null && !isLost;
  useEffect(() => {
    if (!isMissing) return;
    const abort = new AbortController();
    const read = async () => {
      const params = { incident_id, snapshot_id };
      const answer = await api.open(snapshotRoutes.picture, { params, signal: abort.signal });
      setUrl(URL.createObjectURL(await answer.blob()));
      setFailed(false);
    };
    read().catch((error: unknown) => {
      if (!isAbort(error)) setFailed(true);
    });
    return () => abort.abort();
  }, [api, incident_id, snapshot_id, isMissing]);
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  return { url, hasFailed };
}

function SnapshotDialog({
  incident,
  snapshot,
  onClose,
}: {
  incident: Incident;
  snapshot: IncidentSnapshot;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const words = useSnapshotWords(snapshot);
  const { incident_id, status } = incident;
  const { snapshot_id, note } = snapshot;
  const remove = async () => {
    const params = { incident_id, snapshot_id };
    app.incidents.put([await app.api.request(snapshotRoutes.remove, { params })]);
  };
  return (
    <Modal title={words} width={960} onClose={onClose}>
      <div className="incident-snapshot--large">
        <Picture incidentId={incident_id} snapshot={snapshot} />
      </div>
      {note !== null && <p className="incident-entry__note">{note}</p>}
      {status !== 'closed' && mayWork(app) && (
        <div className="modal__actions">
          <ConfirmButton
            confirm={t('geofence.delete_really')}
            disabled={lost}
            onConfirm={() => attempt(app, remove)}
          >
            {t('incident.snapshot_delete')}
          </ConfirmButton>
        </div>
      )}
    </Modal>
  );
}
