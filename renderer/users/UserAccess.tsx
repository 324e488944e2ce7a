import { useState } from 'react';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

/** Blocks a user, lets it in again, or deletes it; a deletion is asked for once more in its own place. */
export function UserAccess({
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
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const isSelf = user.user_id === app.user.user_id;

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setSentence(null);
    try {
      await act();
    } catch (error) {
      setSentence(sentenceOf(error, t));
    } finally {
      setBusy(false);
    }
  };
  const params = { user_id: user.user_id };
  const block = () =>
    attempt(async () =>
      onChanged(await app.api.request(user.blocked ? userRoutes.unblock : userRoutes.block, { params })),
    );
  const remove = () =>
    attempt(async () => {
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
        {asked ? (
          <>
            <Button disabled={busy} onPress={() => void remove()}>
              {t('users.delete_really', { login: user.login })}
            </Button>
            <Button kind="quiet" onPress={() => setAsked(false)}>
              {t('users.keep')}
            </Button>
          </>
        ) : (
          <Button disabled={busy || isSelf} onPress={() => setAsked(true)}>
            {t('users.delete')}
          </Button>
        )}
      </div>
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
    </section>
  );
}
