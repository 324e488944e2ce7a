import { useState } from 'react';
import { useStore } from 'zustand';
import { maxSnoozeS } from '../../../server/contract/notifications.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { GeofencePicker } from '../../geofences/GeofencePicker.tsx';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useT } from '../../i18n/useT.ts';
import type { Overlay } from '../../live/liveView.ts';
import { SnoozeFields, useSnoozeFields } from '../../notifications/SnoozeFields.tsx';
import { BulkDialog } from '../../resources/BulkDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { ModalFooter } from '../../ui/Modal.tsx';
import { RadioRows } from '../../ui/RadioRows.tsx';
import { Choice } from '../../ui/Select.tsx';
import { BulkCommandDialog } from './BulkCommandDialog.tsx';
import { BulkVideoDialog } from './BulkVideoDialog.tsx';
import { type BulkVehicleProps, groupJobs, snoozeJobs } from './bulkVehicles.ts';

/** What is done with the selected vehicles, after one question. */
export function BulkVehicleDialog({ overlay, onClose }: { overlay: Overlay; onClose: () => void }) {
  const app = useAppContext();
  const [ids] = useState(() => [...app.view.getState().selectedIds]);
  const props = { ids, onClose };
  switch (overlay) {
    case 'bulk_groups':
      return <GroupsDialog {...props} />;
    case 'bulk_geofence':
      return <GeofenceDialog {...props} />;
    case 'bulk_command':
      return <BulkCommandDialog {...props} />;
    case 'bulk_video':
      return <BulkVideoDialog {...props} />;
    case 'bulk_snooze':
      return <SnoozeVehiclesDialog {...props} />;
    default:
      return null;
  }
}

function GroupsDialog({ ids, onClose }: BulkVehicleProps) {
  const app = useAppContext();
  const t = useT();
  const [action, setAction] = useState<'add' | 'remove'>('add');
  const [groupIds, setGroupIds] = useState<string[]>([]);
  return (
    <BulkDialog title={t('picked.groups_title', { count: ids.length })} onClose={onClose}>
      {(start) => (
        <>
          <RadioRows
            label={t('picked.groups_what')}
            value={action}
            onChange={setAction}
            options={[
              { id: 'add', label: t('picked.join') },
              { id: 'remove', label: t('picked.leave') },
            ]}
          />
          <GroupPicker label={t('picked.groups')} value={groupIds} onChange={setGroupIds} />
          <ModalFooter onCancel={onClose}>
            <Button
              kind="primary"
              disabled={groupIds.length === 0}
              onPress={() => start(groupJobs(app, ids, groupIds, action))}
            >
              {t(action === 'add' ? 'many.join_do' : 'many.leave_do', { count: ids.length })}
            </Button>
          </ModalFooter>
        </>
      )}
    </BulkDialog>
  );
}

/** A geofence applies to groups, so the vehicles join one of them. */
function GeofenceDialog({ ids, onClose }: BulkVehicleProps) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const [geozoneId, setGeozoneId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const geofence = geofences.get(geozoneId ?? '');
  const own = (geofence?.group_ids ?? []).flatMap((id) => groups.get(id) ?? []);
  const group = own.find((it) => it.group_id === chosen) ?? own[0];
  return (
    <BulkDialog title={t('picked.assign_title', { count: ids.length })} onClose={onClose}>
      {(start) => (
        <>
          <GeofencePicker
            label={t('picked.geofence')}
            single
            value={geozoneId === null ? [] : [geozoneId]}
            onChange={([id = null]) => setGeozoneId(id)}
          />
          {own.length > 1 && group !== undefined && (
            <Choice
              label={t('picked.geofence_group')}
              value={group.group_id}
              options={own.map(({ group_id, name }) => ({ id: group_id, label: name }))}
              onChange={setChosen}
            />
          )}
          {geofence !== undefined && (
            <p className="quiet" role="status">
              {group !== undefined
                ? t('picked.geofence_what', { group: group.name, geofence: geofence.name })
                : t(geofence.group_ids.length === 0 ? 'picked.geofence_all' : 'picked.geofence_unseen', {
                    geofence: geofence.name,
                  })}
            </p>
          )}
          <ModalFooter onCancel={onClose}>
            <Button
              kind="primary"
              disabled={group === undefined}
              onPress={() => {
                if (group !== undefined) start(groupJobs(app, ids, [group.group_id], 'add'));
              }}
            >
              {t('picked.assign')}
            </Button>
          </ModalFooter>
        </>
      )}
    </BulkDialog>
  );
}

function SnoozeVehiclesDialog({ ids, onClose }: BulkVehicleProps) {
  const app = useAppContext();
  const t = useT();
  const fields = useSnoozeFields();
  const { duration_s, noteOrNull: note } = fields;
  return (
    <BulkDialog title={t('picked.snooze_do', { count: ids.length })} onClose={onClose}>
      {(start) => (
        <>
          <SnoozeFields fields={fields} fault={t('snooze.own_fault', { days: maxSnoozeS / 86_400 })} />
          <p className="quiet">{t('picked.snooze_what')}</p>
          <ModalFooter onCancel={onClose}>
            <Button
              kind="primary"
              disabled={duration_s === null}
              onPress={() => {
                if (duration_s !== null) start(snoozeJobs(app, ids, { duration_s, note }));
              }}
            >
              {t('picked.snooze_do', { count: ids.length })}
            </Button>
          </ModalFooter>
        </>
      )}
    </BulkDialog>
  );
}
