import { Ban, Check, CircleAlert, Clock, Hourglass, TimerOff, Unplug, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { CommandStatus, TerminalCommand } from '../../server/contract/terminalCommands.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime, useLostSince, useNow } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Icon } from '../ui/Icon.tsx';
import { isWorthAnotherTry } from './commandState.ts';
import { commandName, faultText, statusText } from './commandWords.ts';

const ICONS: Record<CommandStatus, LucideIcon> = {
  queued: Unplug,
  sent: Hourglass,
  answered: Check,
  failed: CircleAlert,
  cancelled: Ban,
  expired: TimerOff,
};

export interface CommandRowProps {
  command: TerminalCommand;
  /** The terminal takes commands now. */
  isOnline: boolean;
  /** Throws ApiProblem, Unreachable. */
  onCancel: (commandId: string) => Promise<void>;
  /** Tells why something could not be done; null takes it back. */
  onFault: (sentence: string | null) => void;
  /** Puts the same into the form. */
  onAgain: (command: TerminalCommand) => void;
}

/** One command: how far it has come, what it said, what the terminal said, and who gave it when. */
export function CommandRow({ command, isOnline, onCancel, onFault, onAgain }: CommandRowProps) {
  const { userNames } = useDesk();
  const say = useText();
  const time = useDepotTime();
  const now = useNow();
  const lost = useLostSince() !== null;
  const user = useStore(userNames, ({ byId }) => byId.get(command.created_by));
  const [busy, setBusy] = useState(false);
  const { status, kind, text, answer } = command;
  const what = commandName(command, say);
  const fault = faultText(command, { say, time, now });
  const givenAt = Date.parse(command.created_at);
  const by = say('terminal.by', { time: time.moment(givenAt, now), user: user ?? say('user.another') });

  const cancel = async () => {
    setBusy(true);
    onFault(null);
    try {
      await onCancel(command.command_id);
    } catch (error) {
      onFault(sentenceOf(error, say, { in_use: say('terminal.cancel_too_late') }));
    } finally {
      setBusy(false);
    }
  };

  return (
    <li className="command">
      <div className="command__line">
        <Icon of={status === 'queued' && isOnline ? Clock : ICONS[status]} />
        <span className="fill strong">{statusText(command, { isOnline, say, time, now })}</span>
        <span className="command__by quiet small ellipsis" title={`${by}, ${time.utc(givenAt)}`}>
          {by}
        </span>
        {status === 'queued' && (
          <Button
            size="small"
            label={say('terminal.cancel_of', { what })}
            disabled={busy || lost}
            onPress={() => void cancel()}
          >
            {say('ui.cancel')}
          </Button>
        )}
        {isWorthAnotherTry(command) && (
          <Button size="small" label={say('terminal.again_of', { what })} onPress={() => onAgain(command)}>
            {say('terminal.again')}
          </Button>
        )}
      </div>
      {kind === 'position' ? (
        <p className="command__text">{say('terminal.asked_position')}</p>
      ) : (
        <p className="command__text terminal-text">{text}</p>
      )}
      {fault !== null && <p className="command__text quiet">{fault}</p>}
      {status === 'answered' && (answer === null || answer === '') && (
        <p className="command__text quiet">{say('terminal.answer_empty')}</p>
      )}
      {answer !== null && answer !== '' && (
        <pre
          className="command__answer terminal-text"
          role="group"
          aria-label={say('terminal.answer_of', { what })}
        >
          {answer}
        </pre>
      )}
    </li>
  );
}
