import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import type { CommandFeed, CommandFeedState } from './commandFeed.ts';
import { CommandRow, type CommandRowProps } from './CommandRow.tsx';

const SKELETON = [
  [160, 90],
  [130, 90],
] as const;

/** The commands of the terminal, newest first. */
export function CommandList({
  feed,
  commands,
  load,
  older,
  isOnline,
  onAgain,
}: CommandFeedState & { feed: CommandFeed } & Pick<CommandRowProps, 'isOnline' | 'onAgain'>) {
  const t = useT();
  const { busy, sentence, run } = useAction();
  return (
    <section className="terminal-log" aria-label={t('terminal.last')}>
      <h3>{t('terminal.last')}</h3>
      {load.phase === 'failed' && commands.length > 0 && (
        <p className="quiet small">{t('terminal.failed_stale')}</p>
      )}
      <Failure>{sentence}</Failure>
      {commands.length > 0 ? (
        <div className="terminal-log__body" role="group" aria-label={t('terminal.last')} tabIndex={0}>
          <ul>
            {commands.map((command) => (
              <CommandRow
                key={command.command_id}
                command={command}
                isOnline={isOnline}
                busy={busy}
                onCancel={(id) =>
                  void run(() => feed.cancel(id), { texts: { in_use: t('terminal.cancel_too_late') } })
                }
                onAgain={onAgain}
              />
            ))}
          </ul>
          {older !== 'none' && (
            <div className="terminal-log__older">
              {older === 'failed' && <span className="quiet">{t('terminal.older_failed')}</span>}
              <Button size="small" disabled={older === 'reading'} onPress={() => feed.readOlder()}>
                {t('terminal.older')}
              </Button>
            </div>
          )}
        </div>
      ) : load.phase === 'failed' ? (
        <LoadFailure
          title={t('terminal.failed')}
          stillWorks={t('terminal.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => feed.retry()}
        />
      ) : load.phase === 'loading' ? (
        <SkeletonRows
          className="terminal-log__skeleton"
          widths={SKELETON}
          rows={3}
          label={t('terminal.loading')}
        />
      ) : (
        <p className="quiet">{t('terminal.empty')}</p>
      )}
    </section>
  );
}
