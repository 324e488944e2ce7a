import { useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import {
  commandKind,
  longestCommand,
  type CommandKind,
  type TerminalCommand,
  type TerminalReach,
} from '../../server/contract/terminalCommands.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { Unreachable } from '../api/errors.ts';
import { useLostSince } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { Segments } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { CommandWish } from './commandFeed.ts';
import { refusedKindText, sendText, takesKind } from './commandWords.ts';
import { earlierTexts, nothingRecalled, stepRecall } from './recall.ts';

export interface CommandFormProps {
  vehicle: Vehicle;
  reach: TerminalReach | null;
  /** What it was told before, newest first. */
  commands: readonly TerminalCommand[];
  /** What it begins with; null: an empty text. */
  begin: CommandWish | null;
  /** Throws ApiProblem, Unreachable. */
  onSend: (wish: CommandWish) => Promise<void>;
}

/** What the terminal is to be told, and in words what pressing Send will do. */
export function CommandForm({ vehicle, reach, commands, begin, onSend }: CommandFormProps) {
  const say = useText();
  const lost = useLostSince() !== null;
  const [kind, setKind] = useState<CommandKind>(begin?.kind ?? 'text');
  const [typed, setTyped] = useState(begin?.text ?? '');
  const [recall, setRecall] = useState(nothingRecalled);
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const trimmed = typed.trim();
  const wish: CommandWish = { kind, text: kind === 'text' && trimmed !== '' ? trimmed : null };
  // What the chosen one is refused for stands beside Send.
  const refusals = commandKind.options.flatMap((it) =>
    it === kind ? [] : (refusedKindText(reach, it, say) ?? []),
  );
  const maySend = !lost && takesKind(reach, kind) && (kind !== 'text' || wish.text !== null);

  const send = async () => {
    // Not switched off meanwhile: it would drop the focus.
    if (!maySend || busy) return;
    setBusy(true);
    setSentence(null);
    try {
      await onSend(wish);
      setTyped((now) => (now === typed ? '' : now));
      setRecall(nothingRecalled);
      form.current?.querySelector('input')?.focus();
    } catch (error) {
      setSentence(error instanceof Unreachable ? say('terminal.not_sent') : sentenceOf(error, say));
    } finally {
      setBusy(false);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (event.target instanceof HTMLInputElement && isArrow(event.key)) {
      const step = stepRecall(earlierTexts(commands), recall, typed, event.key === 'ArrowUp' ? 1 : -1);
      if (step === null) return;
      event.preventDefault();
      setRecall(step.recall);
      setTyped(step.text);
    }
  };

  return (
    <form
      ref={form}
      className="form-column"
      aria-label={say('terminal.command')}
      onKeyDown={onKeyDown}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="command-form__kind">
        <Segments
          label={say('terminal.kind')}
          value={kind}
          onChange={setKind}
          options={commandKind.options.map((id) => ({
            id,
            label: say(`terminal.kind.${id}`),
            disabled: !takesKind(reach, id),
          }))}
        />
        {refusals.map((words) => (
          <p key={words} className="quiet small">
            {words}
          </p>
        ))}
      </div>
      {kind === 'text' && (
        <div className="command-form__text">
          <TextField
            label={say('terminal.text')}
            hint={say('terminal.hint')}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setRecall(nothingRecalled);
            }}
            maxLength={longestCommand}
            autoFocus
          />
        </div>
      )}
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
      <div className="command-form__foot">
        <p className="fill quiet">{sendText(wish, vehicle.name, reach, say)}</p>
        <Button kind="primary" submits keycap={kind === 'text' ? 'Enter' : 'Ctrl Enter'} disabled={!maySend}>
          {say('terminal.send')}
        </Button>
      </div>
    </form>
  );
}

const isArrow = (key: string): boolean => key === 'ArrowUp' || key === 'ArrowDown';
