import { KeyRound } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { apiTokenRoutes, type ApiToken } from '../../server/contract/apiTokens.ts';
import { rightNames, type Role } from '../../server/contract/rights.ts';
import { fetchAllPages, PAGE_LIMIT } from '../api/client.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import { useT } from '../i18n/useT.ts';
import { NEW } from '../navigation/navigation.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { SharesOfUser } from '../shares/ShareList.tsx';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { Age, TimeOfDay } from '../ui/Moment.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { changesOfToken, newTokenOf, tokenFormOf, TOKEN_DAYS, type TokenForm } from './apiTokenForm.ts';
import { RightsField } from './RightsField.tsx';

/** They are used meanwhile. */
const AGAIN_MS = 30_000;

/** The caller's own API tokens, each to be changed or revoked, and new ones. */
export function ApiTokensTab() {
  const app = useAppContext();
  const t = useT();
  const id = useStore(app.navigation.store, ({ query }) => query['id'] ?? null);
  const [round, setRound] = useState(0);
  const [edited, setEdited] = useState<ApiToken | null>(null);
  const close = () => {
    setEdited(null);
    app.navigation.note({ id: null });
  };
  return (
    <div className="settings-page">
      <div className="settings">
        <section className="settings__section">
          <h2>{t('api_tokens.title')}</h2>
          <p className="quiet">{t('api_tokens.about')}</p>
          <div>
            <Button kind="primary" icon={KeyRound} onPress={() => app.navigation.note({ id: NEW })}>
              {t('api_tokens.add')}
            </Button>
          </div>
          <ApiTokenList userId={app.user.user_id} round={round} onEdit={setEdited} />
        </section>
        <section className="settings__section">
          <h2>{t('shares.given')}</h2>
          <SharesOfUser userId={app.user.user_id} />
        </section>
      </div>
      {(id === NEW || edited !== null) && (
        <ApiTokenDialog token={edited} onClose={close} onSaved={() => setRound((count) => count + 1)} />
      )}
    </div>
  );
}

/** The API tokens of a user, with their use. */
export function ApiTokenList({
  userId,
  round = 0,
  onEdit,
}: {
  userId: string;
  /** Counts what was changed elsewhere. */
  round?: number;
  /** Left out: they are somebody else's, and can only be revoked. */
  onEdit?: (token: ApiToken) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const read = useCallback(
    (signal: AbortSignal) =>
      fetchAllPages((cursor) =>
        app.api.request(apiTokenRoutes.list, {
          query: { limit: PAGE_LIMIT, cursor, user_id: userId },
          signal,
        }),
      ),
    [app, userId],
  );
  const { value: tokens, load, again } = usePolling(read, AGAIN_MS);
  useEffect(() => {
    if (round > 0) again();
  }, [round, again]);
  const { busy, sentence, run } = useAction();

  const revoke = ({ token_id }: ApiToken) =>
    run(async () => {
      await app.api.request(apiTokenRoutes.revoke, { params: { token_id } });
      again();
    });

  if (load.phase === 'failed')
    return (
      <>
        <p className="quiet">{t('api_tokens.failed')}</p>
        <div>
          <RetryButton size="small" onRetry={again} />
        </div>
      </>
    );
  if (tokens === null || tokens.length === 0)
    return <p className="quiet">{t(tokens === null ? 'api_tokens.loading' : 'api_tokens.none')}</p>;
  return (
    <>
      <ul className="row-list" aria-label={t('api_tokens.title')}>
        {tokens.map((it) => (
          <li key={it.token_id} className="row-list__row">
            <div className="ellipsis strong">{it.name}</div>
            <div className="manage__buttons">
              {onEdit !== undefined && (
                <Button
                  size="small"
                  label={t('api_tokens.edit_named', { name: it.name })}
                  onPress={() => onEdit(it)}
                >
                  {t('api_tokens.edit')}
                </Button>
              )}
              <ConfirmButton
                size="small"
                disabled={busy}
                confirm={t('api_tokens.revoke_really', { name: it.name })}
                onConfirm={() => void revoke(it)}
              >
                {t('api_tokens.revoke')}
              </ConfirmButton>
            </div>
            <div className="quiet small row-list__line">{scopeOf(it)}</div>
            <div className="faint small row-list__line">
              <Expiry at={Date.parse(it.expires_at)} />
              {' · '}
              {it.last_used_at === null ? (
                t('api_tokens.never_used')
              ) : (
                <>
                  {t('api_tokens.unused_for')} <Age since={Date.parse(it.last_used_at)} />
                </>
              )}
              {' · '}
              {t('api_tokens.calls', { count: it.calls })}
            </div>
          </li>
        ))}
      </ul>
      <Failure>{sentence}</Failure>
    </>
  );

  function scopeOf({ role, rights, group_ids }: ApiToken): string {
    if (role === 'dealer') return t('api_tokens.role.dealer');
    const held = rightNames.filter((name) => rights[name] !== 'none');
    const areas = held.map((name) => `${t(`users.right.${name}`)}: ${t(`users.level.${rights[name]}`)}`);
    return [
      areas.length === 0 ? t('api_tokens.no_rights') : areas.join(', '),
      group_ids === null
        ? t('api_tokens.all_groups')
        : t('api_tokens.groups_count', { count: group_ids.length }),
    ].join(' · ');
  }
}

function Expiry({ at }: { at: number }) {
  const t = useT();
  const now = useNow();
  return (
    <>
      {t(at <= now ? 'api_tokens.expired' : 'api_tokens.expires')} <TimeOfDay at={at} withDate />
    </>
  );
}

/** A new API token, whose JWT is shown once; or what an existing one may do. */
function ApiTokenDialog({
  token,
  onClose,
  onSaved,
}: {
  token: ApiToken | null;
  onClose: () => void;
  onSaved: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [form, setForm] = useState<TokenForm>(() => tokenFormOf(token, app.user));
  const [jwt, setJwt] = useState<string | null>(null);
  const { busy, sentence, faults, run } = useAction();
  const change = (part: Partial<TokenForm>) => setForm((before) => ({ ...before, ...part }));
  const texts = { already_exists: t('api_tokens.name_taken') };

  const save = () =>
    run(
      async () => {
        if (token === null) {
          const body = newTokenOf(form, app.serverTime.ticks.getState().now);
          setJwt((await app.api.request(apiTokenRoutes.create, { body })).jwt);
        } else {
          const params = { token_id: token.token_id };
          const body = changesOfToken(form);
          await app.api.request(apiTokenRoutes.patch, { params, body, ifMatch: token.version });
          onClose();
        }
        onSaved();
      },
      { texts, fields: ['name', 'group_ids'] },
    );

  if (jwt !== null)
    return (
      <Modal title={t('api_tokens.created', { name: form.name.trim() })} onClose={onClose} width={520}>
        <p>{t('api_tokens.secret_about')}</p>
        <code className="shown-once">{jwt}</code>
        <div>
          <CopyButton text={jwt} label={t('api_tokens.copy')}>
            {t('api_tokens.copy')}
          </CopyButton>
        </div>
        <p className="quiet small">{t('api_tokens.how_to_send')}</p>
        <div className="modal__actions">
          <Button kind="primary" onPress={onClose}>
            {t('api_tokens.done')}
          </Button>
        </div>
      </Modal>
    );
  const maySave = !busy && form.name.trim() !== '';
  const roles: Role[] = app.user.role === 'dealer' ? ['user', 'dealer'] : [];
  return (
    <Modal title={t(token === null ? 'api_tokens.new' : 'api_tokens.change')} onClose={onClose} width={640}>
      <Form faults={faults} onSubmit={maySave ? save : null}>
        <TextField
          label={t('api_tokens.name')}
          hint={t('api_tokens.name_hint')}
          value={form.name}
          onChange={(name) => change({ name })}
          fault={faults['name'] ?? null}
          required
          autoFocus
          maxLength={120}
        />
        {roles.length > 0 && (
          <div className="form-field">
            <span className="field__label">{t('api_tokens.role')}</span>
            <SegmentedControl
              label={t('api_tokens.role')}
              value={form.role}
              options={roles.map((id) => ({ id, label: t(`api_tokens.role.${id}`) }))}
              onChange={(role) => change({ role })}
            />
            {form.role === 'dealer' && <p className="quiet small">{t('api_tokens.role.dealer_about')}</p>}
          </div>
        )}
        {form.role === 'user' && (
          <>
            <RightsField
              value={form.rights}
              most={app.user.rights}
              onChange={(rights) => change({ rights })}
            />
            <GroupPicker
              label={t('api_tokens.groups')}
              hint={t('api_tokens.groups_hint')}
              value={form.group_ids}
              onChange={(group_ids) => change({ group_ids })}
              fault={faults['group_ids'] ?? null}
            />
          </>
        )}
        {token === null && (
          <div className="form-field">
            <span className="field__label">{t('api_tokens.expires_in')}</span>
            <SegmentedControl
              label={t('api_tokens.expires_in')}
              value={String(form.days)}
              options={TOKEN_DAYS.map((days) => ({
                id: String(days),
                label: t('api_tokens.days', { count: days }),
              }))}
              onChange={(days) => change({ days: Number(days) })}
            />
          </div>
        )}
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" disabled={!maySave} onPress={() => void save()}>
            {t(token === null ? 'api_tokens.create' : 'api_tokens.save')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}
