import { Monitor } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { newUser, userPatch, userRoutes, type User } from '../../server/contract/users.ts';
import { rightNames } from '../../server/contract/rights.ts';
import { PASSWORD_MIN, passwordStrength, STRENGTH_STEPS } from '../auth/passwordStrength.ts';
import type { AppContext } from '../appContext/appContext.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { originForOthers } from '../connections/remoteHost.ts';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { ConflictNotice, type Difference } from '../resources/ConflictNotice.tsx';
import { isSame } from '../resources/rebaseForm.ts';
import { SidePanel } from '../resources/SidePanel.tsx';
import { useAction } from '../resources/useAction.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { SharesOfUser } from '../shares/ShareList.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { StepMeter } from '../ui/Meter.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { ApiTokenList } from './ApiTokens.tsx';
import { SessionList } from './SessionList.tsx';
import { RightsField } from './RightsField.tsx';
import { formOf, newUserOf, patchOf, visibleTo, wallUserForm, type UserForm } from './userForm.ts';

const FIELDS = ['login', 'name', 'email', 'password', 'group_ids'] as const;

/** The conflict may be answered before the stream brings the newer state. */
const readAgain = (app: AppContext, { user_id }: User) =>
  app.api.request(userRoutes.get, { params: { user_id } }).then(
    (user) => app.users.put([user]),
    () => undefined,
  );

/** Beside the list: a user to be made (`user` is null) or changed, with its rights, groups and sessions. */
export function UserPanel({
  user,
  onShow,
}: {
  user: User | null;
  /** Shows another user, or none. */
  onShow: (userId: string | null) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const keep = async (answer: Promise<User>) => {
    const saved = await answer;
    app.users.put([saved]);
    return saved;
  };
  const editing = useResourceForm({
    item: user,
    formOf,
    requestOf: (form, base: User | null) => {
      if (base === null) {
        const body = newUserOf(form);
        return { schema: newUser, body, send: () => keep(app.api.request(userRoutes.create, { body })) };
      }
      const body = patchOf(form, base);
      const params = { user_id: base.user_id };
      return (
        body && {
          schema: userPatch,
          body,
          send: () => keep(app.api.request(userRoutes.patch, { params, body, ifMatch: base.version })),
        }
      );
    },
    fields: FIELDS,
    texts: { already_exists: t('users.login_taken'), version_conflict: `${t('conflict.user')}.` },
    onConflict: (base) => base && readAgain(app, base),
  });
  const { form, change, field, busy } = editing;
  const short = form.password !== '' && form.password.length < PASSWORD_MIN;
  const maySave =
    !busy &&
    editing.isDirty &&
    !editing.isBehind &&
    form.login.trim() !== '' &&
    !short &&
    (user !== null || form.password !== '');
  const save = async (overTheirs = false) => {
    const saved = await editing.save(overTheirs);
    if (user === null && saved !== null) onShow(saved.user_id);
  };
  return (
    <SidePanel
      label={t('users.panel')}
      title={user === null ? t('users.new') : (user.name ?? user.login)}
      onClose={() => onShow(null)}
    >
      <div className="manage__side-body">
        {editing.isBehind && user !== null && (
          <ConflictNotice
            what={t('conflict.user')}
            changedAt={user.updated_at}
            differences={differences(
              form,
              formOf(user),
              (it) => groups.get(it)?.name ?? t('groups.other'),
              t,
            )}
            busy={busy}
            onTake={editing.reset}
            onOverwrite={() => void save(true)}
          />
        )}
        <Form
          className="manage__section"
          faults={editing.faults}
          hasSaveKey
          onSubmit={maySave ? () => save() : null}
        >
          {user === null && <WallPreset form={form} onChange={change} />}
          <TextField
            label={t('login.login')}
            hint={t('users.login_hint')}
            {...field('login')}
            required
            autoFocus={user === null}
            maxLength={64}
          />
          <TextField label={t('users.name')} {...field('name')} maxLength={120} />
          <TextField label={t('users.email')} {...field('email')} maxLength={200} />
          <TextField
            label={user === null ? t('login.password') : t('users.new_password')}
            {...(user === null ? {} : { hint: t('users.new_password_hint') })}
            type="password"
            {...field('password')}
            autoComplete="new-password"
            maxLength={200}
          />
          {form.password !== '' && (
            <div>
              <StepMeter
                label={t('setup.strength')}
                steps={passwordStrength(form.password, form.login)}
                of={STRENGTH_STEPS}
              />
              {short && (
                <p className="quiet small">
                  {t('setup.password_short', { length: form.password.length, min: PASSWORD_MIN })}
                </p>
              )}
            </div>
          )}
          <div className="form-field">
            <span className="field__label">{t('users.role')}</span>
            <SegmentedControl
              label={t('users.role')}
              value={form.role}
              options={[
                { id: 'user', label: t('users.role.user') },
                { id: 'dealer', label: t('users.role.dealer') },
              ]}
              onChange={(role) => change({ role })}
            />
            <p className="quiet small">{t(`users.role.${form.role}.what`)}</p>
          </div>
          {form.role === 'user' && (
            <>
              <RightsField value={form.rights} onChange={(rights) => change({ rights })} />
              <GroupPicker
                label={t('users.groups')}
                {...field('group_ids')}
                {...(user === null ? { hint: t('users.own_group') } : {})}
              />
            </>
          )}
          <Sight form={form} />
          <Failure>{editing.isBehind ? null : editing.sentence}</Failure>
          <div className="manage__buttons">
            <Button kind="primary" submits disabled={!maySave}>
              {user === null ? t('users.create') : t('ui.save')}
            </Button>
          </div>
        </Form>
        {user !== null && (
          <>
            <SessionList
              key={`${user.user_id} ${String(user.blocked)} ${user.version}`}
              userId={user.user_id}
            />
            <section className="manage__section" aria-label={t('api_tokens.title')}>
              <h3>{t('api_tokens.title')}</h3>
              <p className="quiet">{t('api_tokens.about_user')}</p>
              <ApiTokenList
                key={`${user.user_id} ${String(user.blocked)} ${user.version}`}
                userId={user.user_id}
              />
            </section>
            <section className="manage__section" aria-label={t('shares.given')}>
              <h3>{t('shares.given')}</h3>
              <SharesOfUser
                key={`${user.user_id} ${String(user.blocked)} ${user.version}`}
                userId={user.user_id}
              />
            </section>
            <UserAccess
              user={user}
              onChanged={(next) => {
                app.users.put([next]);
                editing.take(next);
              }}
              onDeleted={() => {
                app.users.remove([user.user_id]);
                onShow(null);
              }}
            />
          </>
        )}
      </div>
    </SidePanel>
  );
}

/** Fills the form for a display that shows the depot and changes nothing. */
function WallPreset({ form, onChange }: { form: UserForm; onChange: (form: UserForm) => void }) {
  const app = useAppContext();
  const t = useT();
  const [password, setPassword] = useState<string | null>(null);
  const fill = () => {
    const wall = wallUserForm(t('window.wall'), {
      users: app.users.store.getState().byId.values(),
      groupIds: [...app.groups.store.getState().byId.keys()],
      random: crypto.getRandomValues(new Uint8Array(20)),
    });
    setPassword(wall.password);
    onChange(wall);
  };
  return (
    <div className="form-field">
      <Button icon={Monitor} onPress={fill}>
        {t('window.wall')}
      </Button>
      {password === null || password !== form.password ? (
        <p className="quiet small">{t('users.wall_about')}</p>
      ) : (
        <>
          <p className="small">
            {t('users.wall_password', {
              login: form.login,
              address: `${originForOthers(app.platform)}/?window=wall`,
            })}
          </p>
          <p>
            <code>{password}</code> <CopyButton text={password} label={t('users.wall_copy')} />
          </p>
        </>
      )}
    </div>
  );
}

/** What the user would see with what is chosen here, before it is saved. */
function Sight({ form }: { form: UserForm }) {
  const app = useAppContext();
  const t = useT();
  const vehicles = useStore(app.vehicles.store, (state) => state.byId);
  const seen = useMemo(() => visibleTo(form, vehicles.values()), [form, vehicles]);
  return (
    <p className="user-sight">
      {form.role === 'user' && form.rights.vehicles === 'none'
        ? t('users.sees_none')
        : t('users.sees', { count: seen, of: vehicles.size })}
    </p>
  );
}

/** Blocks a user, lets it in again, or deletes it. */
function UserAccess({
  user,
  onChanged,
  onDeleted,
}: {
  user: User;
  onChanged: (user: User) => void;
  onDeleted: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const isSelf = user.user_id === app.user.user_id;
  const params = { user_id: user.user_id };
  const block = () =>
    run(async () =>
      onChanged(await app.api.request(user.blocked ? userRoutes.unblock : userRoutes.block, { params })),
    );
  const remove = () =>
    run(async () => {
      await app.api.request(userRoutes.remove, { params, ifMatch: user.version });
      onDeleted();
    });

  return (
    <section className="manage__section" aria-label={t('users.access_section')}>
      <h3>{t('users.access_section')}</h3>
      <p className="quiet">
        {isSelf ? t('users.access_self') : user.blocked ? t('users.blocked_about') : t('users.block_about')}
      </p>
      <div className="manage__buttons">
        <Button disabled={busy || isSelf} onPress={() => void block()}>
          {user.blocked ? t('users.unblock') : t('users.block')}
        </Button>
        <ConfirmButton
          disabled={busy || isSelf}
          confirm={t('users.delete_really', { login: user.login })}
          keep={t('users.keep')}
          onConfirm={() => void remove()}
        >
          {t('users.delete')}
        </ConfirmButton>
      </div>
      <Failure>{sentence}</Failure>
    </section>
  );
}

/** What the form and the newest state say of each field in which they differ. */
function differences(
  yours: UserForm,
  theirs: UserForm,
  groupName: (id: string) => string,
  t: Translate,
): Difference[] {
  const text = (form: UserForm) => ({
    [t('login.login')]: form.login,
    [t('users.name')]: form.name,
    [t('users.email')]: form.email,
    [t('users.role')]: t(`users.role.${form.role}`),
    [t('users.rights')]: rightNames
      .map((name) => `${t(`users.right.${name}`)}: ${t(`users.level.${form.rights[name]}`)}`)
      .join(', '),
    [t('users.groups')]: form.group_ids.map(groupName).join(', '),
  });
  const [own, other] = [text(yours), text(theirs)];
  return Object.entries(other).flatMap(([label, value]) =>
    isSame(value, own[label]) ? [] : [{ label, theirs: value || '–', yours: own[label] || '–' }],
  );
}
