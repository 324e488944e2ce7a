import { Unplug } from 'lucide-react';
import { isProblem, requestIdOf, Unreachable } from '../api/errors.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useNow } from '../appContext/useMoment.ts';
import { formatAge } from '../format/age.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from './Button.tsx';
import { problemText } from './formFaults.ts';
import { Notice } from './Notice.tsx';
import { RetryButton } from './RetryButton.tsx';

/** The failed state of a pane: what still works, when it tries again, and the id that finds the fault. */
export function LoadFailure({
  title,
  stillWorks,
  error,
  nextTryAt,
  onRetry,
}: {
  title: string;
  stillWorks: string;
  error: unknown;
  /** By this computer's clock; null while a try is under way or when none will follow. */
  nextTryAt: number | null;
  onRetry: () => void;
}) {
  const t = useT();
  const { clock, platform } = useAppContext();
  // Asked for so that the countdown moves.
  useNow();
  const requestId = requestIdOf(error);
  const answer = isProblem(error)
    ? problemText(error.problem, t)
    : error instanceof Unreachable
      ? t('failure.no_response')
      : t('failure.unexpected');
  return (
    <Notice
      icon={Unplug}
      title={title}
      actions={
        <>
          <RetryButton kind="primary" onRetry={onRetry} />
          {requestId !== null && (
            <Button onPress={() => void platform.copyText(requestId)}>{t('ui.copy_request_id')}</Button>
          )}
        </>
      }
    >
      {answer} {stillWorks}{' '}
      {nextTryAt !== null && t('failure.next_try', { age: formatAge(Math.max(0, nextTryAt - clock.now())) })}
    </Notice>
  );
}
