import { Ban, Check, CircleAlert, Clock, Hourglass, type LucideIcon, TimerOff, Unplug } from 'lucide-react';
import { useStore } from 'zustand';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { type CommandFeed, type CommandFeedState, isWorthAnotherTry } from './commandFeed.ts';
import type { CommandStatus, TerminalCommand } from '../../server/contract/terminalCommands.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useLostSince, useNow } from '../appContext/useMoment.ts';
import { Icon } from '../ui/Icon.tsx';
import { commandName, faultText, formatStatus } from './commandLabels.ts';

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

const ICONS: Record<CommandStatus, LucideIcon> = {
  queued: Unplug,
  sent: Hourglass,
  responded: Check,
  failed: CircleAlert,
  cancelled: Ban,
  expired: TimerOff,
};

interface CommandRowProps {
  command: TerminalCommand;
  /** The terminal takes commands now. */
  isOnline: boolean;
  /** A command is being cancelled. */
  busy: boolean;
  onCancel: (commandId: string) => void;
  /** Puts the same into the form. */
  onAgain: (command: TerminalCommand) => void;
}

/** One command: how far it has come, what it said, what the terminal said, and who gave it when. */
function CommandRow({ command, isOnline, busy, onCancel, onAgain }: CommandRowProps) {
  const { userNames } = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const now = useNow();
  const lost = useLostSince() !== null;
  const user = useStore(userNames, ({ byId }) => byId.get(command.created_by));
  const { status, kind, text, response } = command;
  const what = commandName(command, t);
  const fault = faultText(command, { t, time, now });
  const givenAt = Date.parse(command.created_at);
  const by = t('terminal.by', { time: time.moment(givenAt, now), user: user ?? t('user.another') });

  return (
    <li className="command">
      <div className="command__line">
        <Icon of={status === 'queued' && isOnline ? Clock : ICONS[status]} />
        <span className="fill strong">{formatStatus(command, { isOnline, t, time, now })}</span>
        <span className="command__by quiet small ellipsis" title={`${by}, ${time.utc(givenAt)}`}>
          {by}
        </span>
        {status === 'queued' && (
          <Button
            size="small"
            label={t('terminal.cancel_of', { what })}
            disabled={busy || lost}
            onPress={() => onCancel(command.command_id)}
          >
            {t('ui.cancel')}
          </Button>
        )}
        {isWorthAnotherTry(command) && (
          <Button size="small" label={t('terminal.again_of', { what })} onPress={() => onAgain(command)}>
            {t('terminal.again')}
          </Button>
        )}
      </div>
      {kind === 'position' ? (
        <p className="command__text">{t('terminal.asked_position')}</p>
      ) : (
        <p className="command__text terminal-text">{text}</p>
      )}
      {fault !== null && <p className="command__text quiet">{fault}</p>}
      {status === 'responded' && (response === null || response === '') && (
        <p className="command__text quiet">{t('terminal.response_empty')}</p>
      )}
      {response !== null && response !== '' && (
        <pre
          className="command__response terminal-text"
          role="group"
          aria-label={t('terminal.response_of', { what })}
        >
          {response}
        </pre>
      )}
    </li>
  );
}
