import { useState } from 'react';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import type { CommandFeed, CommandFeedState } from './commandFeed.ts';
import { CommandRow, type CommandRowProps } from './CommandRow.tsx';

const SKELETON = [
  [160, 90],
  [130, 90],
] as const;

/** What the terminal was told, newest first. */
export function CommandList({
  feed,
  commands,
  load,
  older,
  isOnline,
  onAgain,
}: CommandFeedState & { feed: CommandFeed } & Pick<CommandRowProps, 'isOnline' | 'onAgain'>) {
  const say = useText();
  const [sentence, setSentence] = useState<string | null>(null);
  return (
    <section className="terminal-log" aria-label={say('terminal.last')}>
      <h3>{say('terminal.last')}</h3>
      {load.phase === 'failed' && commands.length > 0 && (
        <p className="quiet small">{say('terminal.failed_stale')}</p>
      )}
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      {commands.length > 0 ? (
        <div className="terminal-log__body" role="group" aria-label={say('terminal.last')} tabIndex={0}>
          <ul>
            {commands.map((command) => (
              <CommandRow
                key={command.command_id}
                command={command}
                isOnline={isOnline}
                onCancel={(id) => feed.cancel(id)}
                onFault={setSentence}
                onAgain={onAgain}
              />
            ))}
          </ul>
          {older !== 'none' && (
            <div className="terminal-log__older">
              {older === 'failed' && <span className="quiet">{say('terminal.older_failed')}</span>}
              <Button size="small" disabled={older === 'reading'} onPress={() => feed.readOlder()}>
                {say('terminal.older')}
              </Button>
            </div>
          )}
        </div>
      ) : load.phase === 'failed' ? (
        <LoadFailure
          title={say('terminal.failed')}
          stillWorks={say('terminal.failed_still')}
          error={load.error}
          nextTryAt={load.nextTryAt}
          onRetry={() => feed.retry()}
        />
      ) : load.phase === 'loading' ? (
        <SkeletonRows
          className="terminal-log__skeleton"
          widths={SKELETON}
          rows={3}
          label={say('terminal.loading')}
        />
      ) : (
        <p className="quiet">{say('terminal.empty')}</p>
      )}
    </section>
  );
}
