import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react';
import {
  commandKind,
  type CommandKind,
  maxCommand,
  type TerminalCommand,
  type TerminalConnection,
} from '../../server/contract/terminalCommands.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useLostSince } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { CommandFilter } from './commandFeed.ts';
import { formatRefusedKind, formatSend, takesKind } from './commandLabels.ts';

export interface CommandFormProps {
  vehicle: Vehicle;
  reach: TerminalConnection | null;
  /** Its earlier commands, newest first. */
  commands: readonly TerminalCommand[];
  /** What it begins with; null: an empty text. */
  begin: CommandFilter | null;
  /** Throws ApiProblem, Unreachable. */
  onSend: (filter: CommandFilter) => Promise<void>;
}

/** The command for the terminal, and in words what Send will do. */
export function CommandForm({ vehicle, reach, commands, begin, onSend }: CommandFormProps) {
  const t = useT();
  const lost = useLostSince() !== null;
  const [kind, setKind] = useState<CommandKind>(begin?.kind ?? 'text');
  const [typed, setTyped] = useState(begin?.text ?? '');
  const [recall, setRecall] = useState(nothingRecalled);
  const { busy, sentence, run } = useAction();
  /** Sent again while the one before was on its way. */
  const [isEarly, setEarly] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const trimmed = typed.trim();
  const filter: CommandFilter = { kind, text: kind === 'text' && trimmed !== '' ? trimmed : null };
  // What the chosen one is refused for stands beside Send.
  const refusals = commandKind.options.flatMap((it) =>
    it === kind ? [] : (formatRefusedKind(reach, it, t) ?? []),
  );
  const maySend = !lost && takesKind(reach, kind) && (kind !== 'text' || filter.text !== null);

  const send = async () => {
    // Not switched off meanwhile: it would drop the focus.
    if (!maySend) return;
    setEarly(busy);
    if (busy) return;
    await run(
      async () => {
        await onSend(filter);
        setTyped((now) => (now === typed ? '' : now));
        setRecall(nothingRecalled);
        form.current?.querySelector('input')?.focus();
      },
      { unreachable: t('terminal.not_sent') },
    );
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
      aria-label={t('terminal.command')}
      onKeyDown={onKeyDown}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void send();
      }}
    >
      <div className="command-form__kind">
        <SegmentedControl
          label={t('terminal.kind')}
          value={kind}
          onChange={setKind}
          options={commandKind.options.map((id) => ({
            id,
            label: t(`terminal.kind.${id}`),
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
            label={t('terminal.text')}
            hint={t('terminal.hint')}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              setRecall(nothingRecalled);
            }}
            maxLength={maxCommand}
            autoFocus
          />
        </div>
      )}
      <Failure>{busy && isEarly ? t('terminal.still_sending') : sentence}</Failure>
      <div className="command-form__foot">
        <p className="fill quiet">{formatSend(filter, vehicle.name, reach, t)}</p>
        <Button kind="primary" submits keycap={kind === 'text' ? 'Enter' : 'Ctrl Enter'} disabled={!maySend}>
          {t('terminal.send')}
        </Button>
      </div>
    </form>
  );
}

const isArrow = (key: string): boolean => key === 'ArrowUp' || key === 'ArrowDown';

/** Where one stands among earlier texts; `place` counts from the newest, -1 is what is being typed. */
interface Recall {
  place: number;
  /** What was typed before an earlier text took its place. */
  draft: string;
}

export const nothingRecalled: Recall = { place: -1, draft: '' };

/** The texts of commands, each once, the newest first. */
export function earlierTexts(commands: readonly Pick<TerminalCommand, 'text'>[]): string[] {
  return [...new Set(commands.flatMap(({ text }) => text ?? []))];
}

/** One step to an earlier text (1), or back towards what was typed (-1); null where there is none. */
export function stepRecall(
  texts: readonly string[],
  { place, draft }: Recall,
  typed: string,
  step: 1 | -1,
): { recall: Recall; text: string } | null {
  const next = place + step;
  const newest = place === -1 ? typed : draft;
  if (next === -1) return { recall: nothingRecalled, text: newest };
  const text = texts[next];
  return text === undefined ? null : { recall: { place: next, draft: newest }, text };
}
