import { useEffect, useState } from 'react';
import { maxBulk, type BulkResult } from '../../../server/contract/bulk.ts';
import { quotas } from '../../../server/contract/quotas.ts';
import {
  type BulkCommandResult,
  commandKind,
  type CommandKind,
  maxCommand,
  terminalCommandRoutes,
} from '../../../server/contract/terminalCommands.ts';
import { newIdempotencyKey } from '../../api/client.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { BulkDialog } from '../../resources/BulkDialog.tsx';
import { commandWaitS, type CommandFilter } from '../../terminalCommands/commandFeed.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf, problemText } from '../../ui/formFaults.ts';
import { ModalFooter } from '../../ui/Modal.tsx';
import { SegmentedControl } from '../../ui/Segments.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { bulkJobs, type BulkVehicleProps, failuresOf } from './bulkVehicles.ts';

/** So many commands of a user may wait: with more vehicles the last ones would all be refused. */
const MOST = quotas.waiting_commands_of_user.most;

/** Sends one command to the terminals of many vehicles; who gets it when is counted before. */
export function BulkCommandDialog({ ids, onClose }: BulkVehicleProps) {
  const app = useAppContext();
  const t = useT();
  const [kind, setKind] = useState<CommandKind>('text');
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const isWhole = kind !== 'text' || text !== '';
  const filter: CommandFilter = { kind, text: kind === 'text' ? text : null };
  const tooMany = ids.length > MOST;
  const check = useCheck(ids, tooMany ? null : kind);
  const [key] = useState(newIdempotencyKey);

  return (
    <BulkDialog title={t('picked.command_title', { count: ids.length })} onClose={onClose}>
      {(start) => (
        <form
          className="form-column"
          onSubmit={(event) => {
            event.preventDefault();
            if (isWhole && !tooMany) start(commandJobs(app, ids, filter, key));
          }}
        >
          <SegmentedControl
            label={t('terminal.kind')}
            value={kind}
            onChange={setKind}
            options={commandKind.options.map((id) => ({ id, label: t(`terminal.kind.${id}`) }))}
          />
          {kind === 'text' && (
            <TextField
              label={t('terminal.text')}
              value={typed}
              onChange={setTyped}
              maxLength={maxCommand}
              autoFocus
            />
          )}
          <div className="bulk-counts" role="status">
            {tooMany ? (
              <p>{t('picked.too_many', { count: ids.length, most: formatNumber(MOST) })}</p>
            ) : (
              <Counts check={check} />
            )}
          </div>
          <ModalFooter onCancel={onClose}>
            <Button kind="primary" submits disabled={!isWhole || tooMany || check.done === 0}>
              {t('picked.command_send', { count: check.done ?? ids.length })}
            </Button>
          </ModalFooter>
        </form>
      )}
    </BulkDialog>
  );
}

/** @param key of all calls: one whose answer was lost is the same call again to the server */
export function commandJobs(
  app: Parameters<typeof bulkJobs>[0] & Pick<AppContext, 'api'>,
  ids: readonly string[],
  filter: CommandFilter,
  key: string,
) {
  return bulkJobs(app, ids, async (vehicle_ids) =>
    failuresOf(
      app,
      await app.api.request(terminalCommandRoutes.sendMany, {
        body: { ...filter, vehicle_ids, expires_in_s: commandWaitS },
        idempotencyKey: `${key}-${ids.indexOf(vehicle_ids[0] ?? '')}`,
      }),
    ),
  );
}

interface Checked {
  kind: CommandKind | null;
  /** How many get it; null while that is not known. */
  done: number | null;
  waiting: number;
  refused: readonly (Omit<BulkResult['refused'][number], 'vehicle_ids'> & { count: number })[];
  hidden: number;
  error: unknown;
}
const UNCHECKED: Checked = { kind: null, done: null, waiting: 0, refused: [], hidden: 0, error: null };

/** What would become of a command of a kind; a text is checked once more when it is sent. */
function useCheck(ids: readonly string[], kind: CommandKind | null): Checked {
  const { api } = useAppContext();
  const [checked, setChecked] = useState(UNCHECKED);
  useEffect(() => {
    if (kind === null) return;
    const { signal, abort } = abortable();
    const ask = async () => {
      const results: BulkCommandResult[] = [];
      for (let from = 0; from < ids.length; from += maxBulk) {
        const vehicle_ids = ids.slice(from, from + maxBulk);
        results.push(
          await api.request(terminalCommandRoutes.sendMany, {
            query: { dry_run: '1' },
            body: { kind, text: kind === 'text' ? '?' : null, vehicle_ids },
            signal,
          }),
        );
      }
      setChecked({ ...sumOf(results), kind });
    };
    ask().catch((error: unknown) => {
      if (!signal.aborted) setChecked({ ...UNCHECKED, kind, error });
    });
    return abort;
  }, [api, ids, kind]);
  return checked.kind === kind ? checked : UNCHECKED;
}

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** The answers to all calls, counted by reason. */
export function sumOf(results: readonly BulkCommandResult[]): Omit<Checked, 'kind'> {
  const refused = new Map<string, Checked['refused'][number]>();
  for (const { vehicle_ids, ...reason } of results.flatMap((it) => it.refused)) {
    const count = (refused.get(reason.detail)?.count ?? 0) + vehicle_ids.length;
    refused.set(reason.detail, { ...reason, count });
  }
  const count = (of: (result: BulkCommandResult) => readonly string[]) =>
    results.reduce((sum, it) => sum + of(it).length, 0);
  return {
    done: count((it) => it.done),
    waiting: count((it) => it.waiting),
    refused: [...refused.values()],
    hidden: count((it) => it.not_found),
    error: null,
  };
}

function Counts({ check: { kind, done, waiting, refused, hidden, error } }: { check: Checked }) {
  const t = useT();
  if (error !== null) return <p>{t('picked.command_unchecked', { reason: sentenceOf(error, t) ?? '' })}</p>;
  if (kind === null || done === null) return <p className="quiet">{t('picked.command_checking')}</p>;
  const refusals = refused.map((it) => ({ reason: problemText(it, t), count: it.count }));
  const reasons = hidden === 0 ? refusals : [...refusals, { reason: t('picked.hidden'), count: hidden }];
  return (
    <>
      {done > waiting && <p>{t('picked.command_now', { count: done - waiting })}</p>}
      {waiting > 0 && <p>{t('picked.command_waits', { count: waiting, hours: commandWaitS / 3_600 })}</p>}
      {reasons.map(({ reason, count }) => (
        <p key={reason}>{t('picked.command_refused', { count, reason })}</p>
      ))}
    </>
  );
}
