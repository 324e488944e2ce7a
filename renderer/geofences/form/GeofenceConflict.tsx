import { useState } from 'react';
import { useStore } from 'zustand';
import type { Geofence, NewGeofence } from '../../../server/contract/geofences.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { Age } from '../../ui/Moment.tsx';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { differences } from '../geofenceLabels.ts';

/** Somebody else changed the geofence meanwhile: what each wrote, and the ways on. */
export function GeofenceConflict({
  theirs,
  mine,
  busy,
  onTake,
  onOverwrite,
  onCopy,
}: {
  /** Null when somebody deleted it. */
  theirs: Geofence | null;
  mine: NewGeofence;
  busy: boolean;
  /** Goes on from theirs; what was typed here is gone. */
  onTake: () => void;
  onOverwrite: () => void;
  onCopy: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [compared, setCompared] = useState(false);
  const groups = useStore(app.groups.store, (state) => state.byId);
  const groupName = (id: string) => groups.get(id)?.name ?? t('geofence.group_unseen');
  const rows = theirs === null ? [] : differences(theirs, mine, groupName, t);
  return (
    <div className="geofence-panel__conflict" role="alert">
      {theirs === null ? (
        <p>{t('geofence.deleted_meanwhile')}</p>
      ) : (
        <p>
          {t('geofence.conflict_who')} <Age since={Date.parse(theirs.updated_at)} />{' '}
          {t('geofence.conflict_how')}
        </p>
      )}
      {compared && theirs !== null && (
        <table className="geofence-panel__compare">
          <thead>
            <tr>
              <td />
              <th scope="col">{t('geofence.theirs')}</th>
              <th scope="col">{t('geofence.yours')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.label}>
                <th scope="row">{row.label}</th>
                <td>{row.theirs}</td>
                <td>{row.mine}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {compared && rows.length === 0 && <p className="quiet">{t('geofence.no_difference')}</p>}
      <div className="geofence-panel__actions">
        {theirs !== null && (
          <>
            {!compared && (
              <Button size="small" onPress={() => setCompared(true)}>
                {t('geofence.compare')}
              </Button>
            )}
            <Button size="small" disabled={busy} onPress={onTake}>
              {t('geofence.take_theirs')}
            </Button>
            <Button size="small" disabled={busy} onPress={onOverwrite}>
              {t('geofence.save_over')}
            </Button>
          </>
        )}
        <Button size="small" disabled={busy} onPress={onCopy}>
          {t('geofence.save_copy')}
        </Button>
      </div>
    </div>
  );
}
