import { X } from 'lucide-react';
import { useMemo, useState, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { isProblem } from '../api/errors.ts';
import { PASSWORD_MIN, passwordStrength, STRENGTH_STEPS } from '../auth/passwordStrength.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { faultsByField, faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { StepMeter } from '../ui/Meter.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { rebaseForm } from '../ui/typedSince.ts';
import { RightsField } from './RightsField.tsx';
import { SessionList } from './SessionList.tsx';
import { UserAccess } from './UserAccess.tsx';
import { formOf, newUserOf, patchOf, visibleTo, type UserForm } from './userForm.ts';
import type { UserList } from './userList.ts';

/** Beside the list: a user to be made (`user` is null) or changed, with its rights, groups and sessions. */
export function UserPanel({
  user,
  users,
  onShow,
}: {
  user: User | null;
  users: UserList;
  /** Shows another user, or none. */
  onShow: (userId: string | null) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [base, setBase] = useState(user);
  const [form, setForm] = useState<UserForm>(() => formOf(user));
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const patch = base === null ? null : patchOf(form, base);
  const change = (part: Partial<UserForm>) => setForm((typed) => ({ ...typed, ...part }));

  const showAnew = (next: User, sent: UserForm | null = null) => {
    setBase(next);
    setForm((typed) => (sent === null ? formOf(next) : rebaseForm(typed, sent, formOf(next))));
    setSentence(null);
    setFaults({});
  };

  const save = async () => {
    setBusy(true);
    setSentence(null);
    setFaults({});
    try {
      if (base === null) {
        const made = await app.api.request(userRoutes.create, { body: newUserOf(form) });
        users.put(made);
        onShow(made.user_id);
      } else if (patch !== null) {
        const saved = await app.api.request(userRoutes.patch, {
          params: { user_id: base.user_id },
          body: patch,
          ifMatch: base.version,
        });
        users.put(saved);
        showAnew(saved, form);
      }
    } catch (error) {
      setFaults(faultsByField(faultsOf(error)));
      setSentence(
        sentenceOf(error, t, {
          already_exists: t('users.login_taken'),
          version_conflict: t('users.conflict'),
        }),
      );
      if (isProblem(error, 'version_conflict')) users.load();
    } finally {
      setBusy(false);
    }
  };

  const isBehind = base !== null && user !== null && user.version > base.version;
  const short = form.password !== '' && form.password.length < PASSWORD_MIN;
  return (
    <section className="pane manage__side" aria-label={t('users.panel')} data-pane tabIndex={-1}>
      <div className="manage__side-head">
        <h2 className="fill ellipsis">{user === null ? t('users.new') : (user.name ?? user.login)}</h2>
        <IconButton icon={X} size="small" label={t('ui.close')} keycap="Esc" onPress={() => onShow(null)} />
      </div>
      <div className="manage__side-body">
        <form
          className="manage__section"
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField
            label={t('login.login')}
            hint={t('users.login_hint')}
            value={form.login}
            onChange={(login) => change({ login })}
            fault={faults['login'] ?? null}
            required
            autoFocus={user === null}
            maxLength={64}
          />
          <TextField
            label={t('users.name')}
            value={form.name}
            onChange={(name) => change({ name })}
            fault={faults['name'] ?? null}
            maxLength={120}
          />
          <TextField
            label={t('users.email')}
            value={form.email}
            onChange={(email) => change({ email })}
            fault={faults['email'] ?? null}
            maxLength={200}
          />
          <TextField
            label={user === null ? t('login.password') : t('users.new_password')}
            {...(user === null ? {} : { hint: t('users.new_password_hint') })}
            type="password"
            value={form.password}
            onChange={(password) => change({ password })}
            fault={faults['password'] ?? null}
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
                value={form.group_ids}
                onChange={(group_ids) => change({ group_ids })}
                {...(user === null ? { hint: t('users.own_group') } : {})}
                fault={faults['group_ids'] ?? null}
              />
            </>
          )}
          <Sight form={form} />
          {isBehind && sentence === null && (
            <p className="form-sentence" role="status">
              {t('users.conflict')}
            </p>
          )}
          {sentence !== null && (
            <p className="form-sentence" role="alert">
              {sentence}
            </p>
          )}
          <div className="manage__buttons">
            <Button
              kind="primary"
              submits
              disabled={
                busy ||
                form.login.trim() === '' ||
                short ||
                (base === null ? form.password === '' : patch === null)
              }
            >
              {user === null ? t('users.create') : t('ui.save')}
            </Button>
            {isBehind && <Button onPress={() => showAnew(user)}>{t('users.take_theirs')}</Button>}
          </div>
        </form>
        {user !== null && (
          <>
            <SessionList
              key={`${user.user_id} ${String(user.blocked)} ${user.version}`}
              userId={user.user_id}
            />
            <UserAccess
              user={user}
              onChanged={(next) => {
                users.put(next);
                showAnew(next, formOf(base));
              }}
              onDeleted={() => {
                users.drop(user.user_id);
                onShow(null);
              }}
            />
          </>
        )}
      </div>
    </section>
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
