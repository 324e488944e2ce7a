import { useState } from 'react';
import { useStore } from 'zustand';
import type { Geofence, NewGeofence } from '../../../server/contract/geofences.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { Age } from '../../ui/Moment.tsx';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { differences } from '../fenceWords.ts';

/** Somebody else changed the geofence meanwhile: what each wrote, and the ways on. */
export function FenceConflict({
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
  const desk = useDesk();
  const say = useText();
  const [compared, setCompared] = useState(false);
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const groupName = (id: string) => groups.get(id)?.name ?? say('fence.group_unseen');
  const rows = theirs === null ? [] : differences(theirs, mine, groupName, say);
  return (
    <div className="geofence-panel__conflict" role="alert">
      {theirs === null ? (
        <p>{say('fence.deleted_meanwhile')}</p>
      ) : (
        <p>
          {say('fence.conflict_who')} <Age since={Date.parse(theirs.updated_at)} />{' '}
          {say('fence.conflict_how')}
        </p>
      )}
      {compared && theirs !== null && (
        <table className="geofence-panel__compare">
          <thead>
            <tr>
              <td />
              <th scope="col">{say('fence.theirs')}</th>
              <th scope="col">{say('fence.yours')}</th>
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
      {compared && rows.length === 0 && <p className="quiet">{say('fence.no_difference')}</p>}
      <div className="geofence-panel__actions">
        {theirs !== null && (
          <>
            {!compared && (
              <Button size="small" onPress={() => setCompared(true)}>
                {say('fence.compare')}
              </Button>
            )}
            <Button size="small" disabled={busy} onPress={onTake}>
              {say('fence.take_theirs')}
            </Button>
            <Button size="small" disabled={busy} onPress={onOverwrite}>
              {say('fence.save_over')}
            </Button>
          </>
        )}
        <Button size="small" disabled={busy} onPress={onCopy}>
          {say('fence.save_copy')}
        </Button>
      </div>
    </div>
  );
}
