import { useMemo } from 'react';
import { useStore } from 'zustand';
import { vehicleRoutes, type ImportResult } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { formatNumber } from '../../format/numbers.ts';
import { useT } from '../../i18n/useT.ts';
import { ImportWizard, type ImportLine } from '../../resources/ImportWizard.tsx';
import { csvTemplate } from './vehicleCsv.ts';

/** The server takes so many rows at once (server/contract/vehicles.ts). */
const MOST_ROWS = 5_000;

/** Many vehicles from a file or a pasted text. */
export function VehicleImport({ onClose }: { onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const idByName = useMemo(
    () => new Map([...groups.values()].map(({ name, group_id }) => [name.toLowerCase(), group_id])),
    [groups],
  );
  const read = (text: string) => {
    try {
      const source = readVehicleFile(text, idByName);
      if (source.length <= MOST_ROWS) return { source };
      return {
        fault: t('import.too_many', {
          rows: formatNumber(source.length),
          allowed: formatNumber(MOST_ROWS),
        }),
      };
    } catch (error) {
      return {
        fault:
          error instanceof UnreadableFile
            ? t(`import.unreadable.${error.reason}`, { line: error.line ?? 1 })
            : t('import.unreadable.not_text'),
      };
    }
  };
  return (
    <ImportWizard<unknown[]>
      title={t('import.title')}
      about={t('import.how')}
      accept={['.csv', '.json', 'text/csv', 'application/json']}
      template={{
        name: 'vehicles-template.csv',
        text: () => csvTemplate([...groups.values()][0]?.name ?? ''),
      }}
      pasteExample="terminal_id,name,plate"
      words={[
        { head: t('vehicle.terminal_id'), width: '136px' },
        { head: t('vehicle.name'), width: 'minmax(80px, 1fr)' },
      ]}
      read={read}
      send={async (rows, dryRun) => {
        const answer = await app.api.request(vehicleRoutes.import, {
          query: dryRun ? { dry_run: '1' } : {},
          body: rows,
        });
        return { ...answer, lines: answer.results.map((result) => lineOf(result, rows)) };
      }}
      submit={(count) => t('import.do', { count })}
      onClose={onClose}
    />
  );
}

function lineOf({ row, status, errors }: ImportResult, rows: readonly unknown[]): ImportLine {
  const given = rows[row - 1];
  return {
    row,
    status,
    words: [wordOf(given, 'terminal_id'), wordOf(given, 'name')],
    faults: errors.map(({ path, message }) => `${path.replace(/^body[./]/, '')} ${message}`).join(', '),
  };
}

function wordOf(row: unknown, field: string): string {
  if (typeof row !== 'object' || row === null) return '';
  const value = Object.entries(row).find(([name]) => name === field)?.[1] as unknown;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Why a file cannot be read at all; what is wrong with single rows, the server says. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly reason: 'empty' | 'not_json' | 'not_a_list' | 'open_quote' | 'long_row' | 'no_head';
  /** The line of the file, from 1, where one is at fault. */
  readonly line: number | null;

  constructor(reason: UnreadableFile['reason'], line: number | null = null) {
    super(line === null ? reason : `${reason} in line ${line}`);
    this.reason = reason;
    this.line = line;
  }
}

const NUMBERS = new Set(['speed_limit_kmh', 'clock_offset_s']);

/**
 * The rows of a JSON array or of a CSV text with a head line (comma, semicolon or tab), each as a new vehicle is written.
 * In `group_ids` groups may stand by their names, parted by bars. Throws UnreadableFile.
 */
export function readVehicleFile(text: string, groupIdByName: ReadonlyMap<string, string>): unknown[] {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new UnreadableFile('empty');
  return /^\s*[[{]/.test(content) ? rowsOfJson(content) : rowsOfCsv(content, groupIdByName);
}

function rowsOfJson(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFile('not_json');
  }
  if (!Array.isArray(value)) throw new UnreadableFile('not_a_list');
  if (value.length === 0) throw new UnreadableFile('empty');
  return value;
}

function rowsOfCsv(text: string, groupIdByName: ReadonlyMap<string, string>): unknown[] {
  const head = /^[^\n]*/.exec(text)?.[0] ?? '';
  const separator = [',', ';', '\t'].reduce((best, it) => (count(head, it) > count(head, best) ? it : best));
  const [names, ...records] = readRecords(text, separator);
  if (names === undefined || !names.fields.some((name) => name.trim() === 'terminal_id')) {
    throw new UnreadableFile('no_head');
  }
  if (records.length === 0) throw new UnreadableFile('empty');
  return records.map(({ fields, line }) => {
    if (fields.length > names.fields.length) throw new UnreadableFile('long_row', line);
    const row: Record<string, unknown> = {};
    for (const [at, field] of fields.entries()) {
      const name = (names.fields[at] ?? '').trim();
      const value = field.trim();
      if (value === '') continue;
      if (name === 'group_ids') row[name] = groupsOf(value, groupIdByName);
      else row[name] = NUMBERS.has(name) && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    }
    return row;
  });
}

/** Ids parted by spaces or bars, or names parted by bars; a name that no group has stays, for the server to say so. */
function groupsOf(text: string, idByName: ReadonlyMap<string, string>): string[] {
  return text
    .split('|')
    .map((part) => part.trim())
    .flatMap((part) => {
      const id = idByName.get(part.toLowerCase());
      return id === undefined ? part.split(/\s+/) : [id];
    })
    .filter((part) => part !== '');
}

const count = (text: string, part: string): number => text.split(part).length - 1;

/** RFC 4180: quotes, doubled quotes, line breaks inside quotes. */
function readRecords(text: string, separator: string): { fields: string[]; line: number }[] {
  const records: { fields: string[]; line: number }[] = [];
  let fields: string[] = [];
  let field = '';
  let quoted = false;
  let line = 1;
  let start = 1;
  const endRecord = () => {
    fields.push(field);
    if (fields.some((it) => it.trim() !== '')) records.push({ fields, line: start });
    fields = [];
    field = '';
    start = line;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\n') line += 1;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === separator) {
      fields.push(field);
      field = '';
    } else if (char === '\n') endRecord();
    else if (char !== '\r' || text[at + 1] !== '\n') field += char;
  }
  if (quoted) throw new UnreadableFile('open_quote', start);
  endRecord();
  return records;
}
