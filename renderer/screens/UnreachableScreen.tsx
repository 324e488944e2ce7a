import { Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { requestIdOf } from '../api/errors.ts';
import { useConsole } from '../RootContext.tsx';
import { formatAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import { listenForShortcuts } from '../commands/shortcuts.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The server did not answer when the console was opened: tried again by itself. */
export function UnreachableScreen({ error, nextTryAt }: { error: unknown; nextTryAt: number | null }) {
  const { auth, clock, platform, preferences } = useConsole();
  const t = useT();
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
        auth,
        () => preferences.getState().singleKeys,
      ),
    [auth, preferences],
  );
  const requestId = requestIdOf(error);
  return (
    <div className="login-page">
      <Notice
        icon={Unplug}
        title={t('unreachable.title')}
        actions={
          <>
            <Button kind="primary" keycap="R" onPress={() => auth.retry()} autoFocus>
              {t('ui.try_now')}
            </Button>
            {requestId !== null && (
              <Button onPress={() => void platform.copyText(requestId)}>{t('ui.copy_request_id')}</Button>
            )}
          </>
        }
      >
        {t('unreachable.why', { host: window.location.host })}{' '}
        {nextTryAt !== null && t('failure.next_try', { age: formatAge(Math.max(0, nextTryAt - now)) })}
      </Notice>
    </div>
  );
}
