import { useState } from 'react';
import { userRoutes, type User } from '../../server/contract/users.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';

/** Blocks a user, lets it in again, or deletes it; a deletion is asked for once more in its own place. */
export function UserDoor({
  user,
  onChanged,
  onDeleted,
}: {
  user: User;
  onChanged: (user: User) => void;
  onDeleted: () => void;
}) {
  const desk = useDesk();
  const say = useText();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const isSelf = user.user_id === desk.user.user_id;

  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setSentence(null);
    try {
      await act();
    } catch (error) {
      setSentence(sentenceOf(error, say));
    } finally {
      setBusy(false);
    }
  };
  const params = { user_id: user.user_id };
  const block = () =>
    attempt(async () =>
      onChanged(await desk.api.request(user.blocked ? userRoutes.unblock : userRoutes.block, { params })),
    );
  const remove = () =>
    attempt(async () => {
      await desk.api.request(userRoutes.remove, { params, ifMatch: user.version });
      onDeleted();
    });

  return (
    <section className="manage__section" aria-label={say('users.door')}>
      <h3>{say('users.door')}</h3>
      <p className="quiet">
        {isSelf
          ? say('users.door_self')
          : user.blocked
            ? say('users.blocked_about')
            : say('users.block_about')}
      </p>
      <div className="manage__buttons">
        <Button disabled={busy || isSelf} onPress={() => void block()}>
          {user.blocked ? say('users.unblock') : say('users.block')}
        </Button>
        {asked ? (
          <>
            <Button disabled={busy} onPress={() => void remove()}>
              {say('users.delete_really', { login: user.login })}
            </Button>
            <Button kind="quiet" onPress={() => setAsked(false)}>
              {say('users.keep')}
            </Button>
          </>
        ) : (
          <Button disabled={busy || isSelf} onPress={() => setAsked(true)}>
            {say('users.delete')}
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
