import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { newGroup, type GroupEntry } from '../../server/contract/groups.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { isProblem } from '../api/errors.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { MissingPanel, SidePanel } from '../resources/SidePanel.tsx';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { TextField } from '../ui/TextField.tsx';
import { addGroup, deleteGroup, readGroup, renameGroup } from './groupActions.ts';
import { GroupMembers } from './GroupMembers.tsx';
import { usersOf } from './groupOrder.ts';
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
  const { byId, load } = useStore(app.groups.store);
  const group = byId.get(groupId);
  if (group === undefined) {
    return (
      <MissingPanel label={t('list.group')} load={load} title={t('groups.gone')} onClose={onClose}>
        {t('groups.gone_how')}
      </MissingPanel>
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
  group: GroupEntry;
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
  const users = useStore(app.users.store, ({ byId }) => usersOf(group.group_id, byId.values()).length);
  return (
    <SidePanel
      label={t('groups.panel', { name: group.name })}
      title={group.name}
      actions={
        <Button size="small" onPress={onShowVehicles}>
          {t('groups.show_vehicles')}
        </Button>
      }
      stale={t('groups.stale_side')}
      onClose={onClose}
    >
      <div className="manage__side-body group-side" tabIndex={0} role="group" aria-label={group.name}>
        {isDealer && <GroupName group={group} disabled={lost} />}
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
      {deletes && (
        <ActionDialog
          title={t('groups.delete_title', { name: group.name })}
          submit={t('groups.delete_do', { name: group.name })}
          act={() => deleteGroup(app, group)}
          texts={{ version_conflict: t('groups.conflict') }}
          onFailure={async (error) => {
            if (isProblem(error, 'version_conflict')) await readAgain(app, group);
            if (isProblem(error, 'not_found')) app.groups.remove([group.group_id]);
          }}
          onClose={() => setDeletes(false)}
        >
          <p>
            {members.length > 0 && t('groups.delete_vehicles', { count: members.length })}{' '}
            {users > 0 && t('groups.delete_users', { count: users })} {t('groups.delete_rules')}
          </p>
        </ActionDialog>
      )}
    </SidePanel>
  );
}

/** The stream may bring the newer state sooner, or another try may. */
const readAgain = (app: AppContext, { group_id }: GroupEntry) =>
  readGroup(app, group_id).catch(() => undefined);

const nameOf = (group: GroupEntry | null) => ({ name: group?.name ?? '' });

function useNameForm(group: GroupEntry | null) {
  const app = useAppContext();
  const t = useT();
  return useResourceForm({
    item: group,
    formOf: nameOf,
    requestOf: (form, base: GroupEntry | null) => {
      const name = form.name.trim();
      return name === base?.name
        ? null
        : {
            schema: newGroup,
            body: { name },
            send: () => (base === null ? addGroup(app, name) : renameGroup(app, base, name)),
          };
    },
    fields: ['name'],
    texts: { already_exists: t('groups.name_taken'), version_conflict: t('groups.conflict') },
    onConflict: (base) => base && readAgain(app, base),
  });
}

/** The name of a group, to be changed. */
function GroupName({ group, disabled }: { group: GroupEntry; disabled: boolean }) {
  const t = useT();
  const { form, field, faults, sentence, isDirty, busy, save, reset } = useNameForm(group);
  const isChanged = isDirty && form.name.trim() !== '';
  return (
    <Form
      className="manage__section"
      faults={faults}
      onSubmit={() => {
        // The panel shows the newer name of somebody else; this one is meant all the same.
        if (isChanged && !busy && !disabled) void save(true);
      }}
    >
      <TextField label={t('vehicle.name')} {...field('name')} required maxLength={120} />
      <Failure>{sentence}</Failure>
      {isChanged && (
        <div className="manage__buttons">
          <Button kind="primary" submits disabled={busy || disabled}>
            {t('groups.rename')}
          </Button>
          <Button onPress={reset}>{t('ui.cancel')}</Button>
        </div>
      )}
    </Form>
  );
}

/** A new group; its vehicles and users come next, in its panel. */
export function NewGroup({
  onClose,
  onAdded,
}: {
  onClose: () => void;
  onAdded: (group: GroupEntry) => void;
}) {
  const t = useT();
  const lost = useLostSince() !== null;
  const { form, field, faults, sentence, busy, save } = useNameForm(null);
  const mayAdd = form.name.trim() !== '' && !busy && !lost;
  return (
    <SidePanel label={t('groups.add')} title={t('groups.add')} onClose={onClose}>
      <Form
        className="manage__section"
        faults={faults}
        onSubmit={() => {
          if (mayAdd) void save().then((added) => added !== null && onAdded(added));
        }}
      >
        <TextField
          label={t('vehicle.name')}
          {...field('name')}
          hint={t('groups.add_hint')}
          required
          autoFocus
          maxLength={120}
        />
        <Failure>{sentence}</Failure>
        <div className="manage__buttons">
          <Button kind="primary" submits disabled={!mayAdd}>
            {t('groups.add')}
          </Button>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
        </div>
      </Form>
    </SidePanel>
  );
}
