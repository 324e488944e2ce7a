import { Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { requestIdOf } from '../api/errors.ts';
import { useConsole } from '../ConsoleContext.tsx';
import { ageText } from '../format/age.ts';
import { useText } from '../i18n/useText.ts';
import { listenForShortcuts } from '../keyboard/listenForShortcuts.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The server did not answer when the console was opened: tried again by itself. */
export function UnreachableScreen({ error, nextTryAt }: { error: unknown; nextTryAt: number | null }) {
  const { auth, clock, platform, preferences } = useConsole();
  const say = useText();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => clock.after(1_000, () => setNow(clock.now())), [clock, now]);
  useEffect(
    () =>
      listenForShortcuts(
        window,
        [
          {
            id: 'retry',
            label: 'command.retry',
            group: 'console',
            shortcut: 'R',
            when: () => true,
            run: () => auth.retry(),
          },
        ],
        () => preferences.getState().singleKeys,
      ),
    [auth, preferences],
  );
  const requestId = requestIdOf(error);
  return (
    <div className="login-page">
      <Notice
        icon={Unplug}
        title={say('unreachable.title')}
        actions={
          <>
            <Button kind="primary" keycap="R" onPress={() => auth.retry()} autoFocus>
              {say('ui.try_now')}
            </Button>
            {requestId !== null && (
              <Button onPress={() => void platform.copyText(requestId)}>{say('ui.copy_request_id')}</Button>
            )}
          </>
        }
      >
        {say('unreachable.why', { host: window.location.host })}{' '}
        {nextTryAt !== null && say('failure.next_try', { age: ageText(Math.max(0, nextTryAt - now)) })}
      </Notice>
    </div>
  );
}
