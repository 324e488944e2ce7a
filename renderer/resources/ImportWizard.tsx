import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components';
import { decodeText } from '../../server/contract/textEncoding.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { DataTable, type Column } from '../ui/DataTable.tsx';
import { Failure } from '../ui/Form.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Choice } from '../ui/Select.tsx';
import { TextField } from '../ui/TextField.tsx';
import { useAction } from './useAction.ts';
import '../ui/manage.css';

/** The server takes no larger body (server/contract/vehicles.ts, server/contract/geofences.ts). */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Encodings of one byte a letter, of which nothing in a file says which it is: those in which spreadsheets save "CSV", by
 * the language of the computer.
 */
const CODE_PAGES = ['1252', '1250', '1251', '1253', '1254', '1257'] as const;
const CHARSETS = CODE_PAGES.map((page) => `windows-${page}` as const);
type Charset = (typeof CHARSETS)[number];

/** What the server says of a row of the file, with the words by which the row is found. */
export interface ImportLine {
  row: number;
  words: readonly string[];
  status: 'created' | 'exists' | 'invalid';
  /** What is wrong with an invalid one. */
  faults: string;
}

export interface ImportAnswer {
  created: number;
  exists?: number;
  invalid: number;
  lines: readonly ImportLine[];
}

/** Many at once from a file or a pasted text: first what would become of each row, then the import. */
export function ImportWizard<Source>({
  title,
  about,
  file,
  accept,
  template,
  pasteExample,
  options,
  optionsKey = '',
  isReady = true,
  words,
  read,
  settle = () => null,
  faultOf = () => null,
  send,
  submit,
  onClose,
}: {
  title: string;
  about: string;
  /** Taken at once; null: it is to be chosen. */
  file: File | null;
  /** Endings and types of the files. */
  accept: readonly string[];
  /** A file to begin from. */
  template?: { name: string; text: () => string };
  /** Set when rows can be pasted. */
  pasteExample?: string;
  /** Fields for what the file does not say. */
  options?: ReactNode;
  /** Changes with what is set in `options`: an answer to other options is no answer. */
  optionsKey?: string;
  /** Whether `options` are filled in. */
  isReady?: boolean;
  /** The columns in which `words` of the lines stand. */
  words: readonly { head: string; width: string }[];
  /** What a text holds, or why it cannot be read. It is checked at once unless something is `open` that `settle` asks. */
  read: (text: string, name: string) => { source: Source; open?: boolean } | { fault: string };
  /** Asks how a source is to be read; null when that is not a question. */
  settle?: (source: Source, onChange: (source: Source) => void) => ReactNode;
  /** Why a source cannot be checked as it is settled. */
  faultOf?: (source: Source) => string | null;
  /** Throws ApiProblem, Unreachable. */
  send: (source: Source, dryRun: boolean) => Promise<ImportAnswer>;
  submit: (count: number) => string;
  onClose: () => void;
}) {
  const { platform } = useAppContext();
  const t = useT();
  const isLost = useLostSince() !== null;
  const { busy, sentence, run, show, reset } = useAction();
  const [pasted, setPasted] = useState('');
  const [given, setGiven] = useState<{ name: string; source: Source } | null>(null);
  const [isSettling, setSettling] = useState(false);
  /** Set while the letters of a file may be others than they were taken for. */
  const [guessed, setGuessed] = useState<{ name: string; bytes: Uint8Array; charset: Charset } | null>(null);
  const [answered, setAnswered] = useState<{
    source: Source;
    answer: ImportAnswer;
    optionsKey: string;
    isDone: boolean;
  } | null>(null);
  const current =
    answered !== null && (answered.isDone || answered.optionsKey === optionsKey) ? answered : null;
  const isDone = current?.isDone === true;

  const ask = (source: Source, dryRun: boolean) =>
    run(async (counts) => {
      const answer = await send(source, dryRun);
      if (counts()) setAnswered({ source, answer, optionsKey, isDone: !dryRun });
    });
  const take = (text: string, name: string) => {
    const found = read(text, name);
    if ('fault' in found) {
      show({ sentence: found.fault });
      return;
    }
    setGiven({ name, source: found.source });
    const isOpen = found.open === true;
    setSettling(isOpen);
    if (!isOpen && isReady) void ask(found.source, true);
  };
  const drop = () => {
    reset();
    setAnswered(null);
    setGiven(null);
    setGuessed(null);
    setSettling(false);
  };
  const takeRead = (name: string, bytes: Uint8Array | null) => {
    drop();
    setPasted('');
    if (bytes === null) show({ sentence: t('import.too_large') });
    else takeBytes(name, bytes);
  };
  const takeBytes = (name: string, bytes: Uint8Array, asked?: Charset) => {
    const decoded = decodeText(bytes, asked);
    const charset = asked ?? CHARSETS.find((it) => it === decoded?.charset);
    setGuessed(charset === undefined ? null : { name, bytes, charset });
    if (decoded === null) {
      show({ sentence: t('import.not_text') });
      return;
    }
    take(decoded.text, name);
  };
  const takeGiven = useEffectEvent(takeRead);
  useEffect(() => {
    if (file !== null) void readBytes(file).then((bytes) => takeGiven(file.name, bytes));
  }, [file]);
  const takeChosen = async (chosen: File | undefined) => {
    if (chosen !== undefined) takeRead(chosen.name, await readBytes(chosen));
  };
  const check = () => {
    if (given === null) {
      take(pasted, '');
      return;
    }
    setSettling(false);
    void ask(given.source, true);
  };

  const fault = given === null ? null : faultOf(given.source);
  const settling =
    given === null || isDone
      ? null
      : settle(given.source, (source) => {
          reset();
          setAnswered(null);
          setGiven({ ...given, source });
        });
  const isEmpty = given === null && pasted === '';
  const mayAsk = isReady && !busy && !isLost;
  const counts = current && {
    created: formatNumber(current.answer.created),
    exists: formatNumber(current.answer.exists ?? 0),
    invalid: formatNumber(current.answer.invalid),
  };
  const countsKey = current?.answer.exists === undefined ? '' : '_exists';
  return (
    <Modal
      title={title}
      onClose={onClose}
      width={640}
      {...(given !== null && !isDone ? { unsaved: true } : {})}
    >
      {!isDone && (
        <>
          <p className="quiet">{about}</p>
          <div className="import-file">
            <FileTrigger acceptedFileTypes={accept} onSelect={(files) => void takeChosen(files?.[0])}>
              <Button kind={isEmpty ? 'primary' : 'plain'} disabled={isLost}>
                {t('import.choose')}
              </Button>
            </FileTrigger>
            {template !== undefined && (
              <Button
                onPress={() =>
                  void platform.saveFile(template.name, new Blob([template.text()], { type: 'text/csv' }))
                }
              >
                {t('import.template')}
              </Button>
            )}
            {given !== null && <span className="ellipsis">{given.name}</span>}
            {guessed !== null && (
              <Choice
                quiet
                label={t('import.encoding')}
                value={guessed.charset}
                onChange={(charset) => {
                  drop();
                  takeBytes(guessed.name, guessed.bytes, charset);
                }}
                options={CODE_PAGES.map((page) => ({
                  id: `windows-${page}` as const,
                  label: t(`import.encoding.cp${page}`),
                }))}
              />
            )}
          </div>
          {pasteExample !== undefined && (
            <TextField
              label={t('import.paste')}
              multiline
              value={pasted}
              onChange={(text) => {
                drop();
                setPasted(text);
              }}
              placeholder={pasteExample}
            />
          )}
          {options}
          {isSettling && <Failure>{fault}</Failure>}
          {isSettling && settling}
        </>
      )}
      {current !== null && counts !== null && !isSettling && (
        <>
          <p role="status" className="strong">
            {t(`import.${isDone ? 'done' : 'would'}${countsKey}`, counts)}
          </p>
          {current.answer.lines.length > 0 && (
            <ImportRows lines={current.answer.lines} words={words} isDone={isDone} />
          )}
        </>
      )}
      <Failure>{sentence}</Failure>
      <div className="modal__actions">
        {isDone ? (
          <Button kind="primary" autoFocus onPress={onClose}>
            {t('ui.close')}
          </Button>
        ) : (
          <>
            {settling !== null && !isSettling && (
              <Button disabled={busy} onPress={() => setSettling(true)}>
                {t('import.columns')}
              </Button>
            )}
            <Button onPress={onClose}>{t('ui.cancel')}</Button>
            {current !== null && !isSettling && current.answer.created > 0 ? (
              <Button
                key="import"
                kind="primary"
                autoFocus
                disabled={!mayAsk}
                onPress={() => void ask(current.source, false)}
              >
                {submit(current.answer.created)}
              </Button>
            ) : (
              <Button
                key="check"
                kind={isEmpty ? 'plain' : 'primary'}
                disabled={!mayAsk || fault !== null || (given === null && pasted.trim() === '')}
                onPress={check}
              >
                {t('import.try')}
              </Button>
            )}
          </>
        )}
      </div>
    </Modal>
  );
}

/** Null for a file that is larger than the server takes. */
async function readBytes(file: File): Promise<Uint8Array | null> {
  return file.size > MOST_BYTES ? null : new Uint8Array(await file.arrayBuffer());
}

const STATUSES = ['invalid', 'exists', 'created'] as const;
const FAULTS_FIRST = { id: 'result', desc: false };
const keyOf = ({ row }: ImportLine): string => String(row);

/** What becomes of each row of a file, those with faults first. */
function ImportRows({
  lines,
  words,
  isDone,
}: {
  lines: readonly ImportLine[];
  words: readonly { head: string; width: string }[];
  isDone: boolean;
}) {
  const t = useT();
  const heads = JSON.stringify(words);
  const columns = useMemo((): Column<ImportLine>[] => {
    const named = JSON.parse(heads) as typeof words;
    return [
      { id: 'row', head: t('import.column.row'), value: ({ row }) => row, align: 'end', width: '48px' },
      ...named.map(({ head, width }, at): Column<ImportLine> => ({
        id: `word-${at}`,
        head,
        value: (line) => line.words[at] ?? null,
        width,
      })),
      {
        id: 'result',
        head: t('import.column.result'),
        value: ({ status }) => STATUSES.indexOf(status),
        cell: ({ status, faults }) => {
          const text =
            status === 'invalid'
              ? faults
              : t(status === 'created' && isDone ? 'import.added' : `import.${status}`);
          return (
            <span className={{ invalid: 'strong', exists: 'quiet', created: '' }[status]} title={text}>
              {text}
            </span>
          );
        },
        width: 'minmax(200px, 3fr)',
      },
    ];
  }, [t, heads, isDone]);
  return (
    <div className="import-rows">
      <DataTable
        name={t('import.rows')}
        columns={columns}
        rows={lines}
        keyOf={keyOf}
        initialSort={FAULTS_FIRST}
      />
    </div>
  );
}
