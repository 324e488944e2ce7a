import { Unplug } from 'lucide-react';
import { isProblem, requestIdOf, Unreachable } from '../api/errors.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useNow } from '../desk/useMoment.ts';
import { ageText } from '../format/age.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from './Button.tsx';
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
  const say = useText();
  const { clock, platform } = useDesk();
  // Asked for so that the countdown moves.
  useNow();
  const requestId = requestIdOf(error);
  const answer = isProblem(error)
    ? say('failure.answered', { status: error.problem.status, title: error.problem.title })
    : error instanceof Unreachable
      ? say('failure.no_answer')
      : say('failure.unexpected');
  return (
    <Notice
      icon={Unplug}
      title={title}
      actions={
        <>
          <RetryButton kind="primary" onRetry={onRetry} />
          {requestId !== null && (
            <Button onPress={() => void platform.copyText(requestId)}>{say('ui.copy_request_id')}</Button>
          )}
        </>
      }
    >
      {answer} {stillWorks}{' '}
      {nextTryAt !== null && say('failure.next_try', { age: ageText(Math.max(0, nextTryAt - clock.now())) })}
    </Notice>
  );
}
