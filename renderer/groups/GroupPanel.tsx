import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { Group } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupMembers } from './GroupMembers.tsx';
import { GroupName } from './GroupName.tsx';
import { GroupUsers } from './GroupUsers.tsx';

/** The group that is selected in the table: its name, its vehicles and who may see them. */
export function GroupPanel({
  groupId,
  vehicles,
  onClose,
  onShowVehicles,
}: {
  groupId: string;
  vehicles: readonly Vehicle[];
  onClose: () => void;
  /** Shows the group's vehicles in their table. */
  onShowVehicles: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const group = useStore(app.groups.store, (state) => state.byId.get(groupId));
  const isRead = useStore(app.groups.store, (state) => state.load.phase === 'ready');
  if (group === undefined) {
    return (
      <section className="pane manage__side" aria-label={t('list.group')} data-pane tabIndex={-1}>
        {isRead && (
          <Notice
            title={t('groups.gone')}
            actions={
              <Button keycap="Esc" onPress={onClose}>
                {t('ui.close')}
              </Button>
            }
          >
            {t('groups.gone_how')}
          </Notice>
        )}
      </section>
    );
  }
  return (
    <KnownGroup
      key={groupId}
      group={group}
      vehicles={vehicles}
      onClose={onClose}
      onShowVehicles={onShowVehicles}
    />
  );
}

function KnownGroup({
  group,
  vehicles,
  onClose,
  onShowVehicles,
}: {
  group: Group;
  vehicles: readonly Vehicle[];
  onClose: () => void;
  onShowVehicles: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const [deletes, setDeletes] = useState(false);
  const isDealer = app.user.role === 'dealer';
  const members = useMemo(
    () => vehicles.filter((it) => it.group_ids.includes(group.group_id)),
    [vehicles, group.group_id],
  );
  return (
    <section
      className="pane manage__side"
      aria-label={t('groups.panel', { name: group.name })}
      data-pane
      tabIndex={-1}
    >
      <div className="manage__side-head">
        <h2 className="fill ellipsis" title={group.name}>
          {group.name}
        </h2>
        <Button size="small" onPress={onShowVehicles}>
          {t('groups.show_vehicles')}
        </Button>
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <StaleBanner>{t('groups.stale_side')}</StaleBanner>
      <div className="manage__side-body group-side" tabIndex={0} role="group" aria-label={group.name}>
        {isDealer && (
          <div className="manage__section">
            <GroupName group={group} disabled={lost} />
          </div>
        )}
        <div className="manage__section group-side__members">
          <GroupMembers group={group} members={members} vehicles={vehicles} disabled={lost || !isDealer} />
        </div>
        {isDealer && (
          <>
            <div className="manage__section">
              <GroupUsers group={group} disabled={lost} />
            </div>
            <div className="manage__section">
              <div className="manage__buttons">
                <Button size="small" disabled={lost} onPress={() => setDeletes(true)}>
                  {t('groups.delete')}
                </Button>
              </div>
            </div>
          </>
        )}
      </div>
      {deletes && <DeleteGroup group={group} vehicles={members.length} onClose={() => setDeletes(false)} />}
    </section>
  );
}
