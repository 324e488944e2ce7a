import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { incidentRoutes, type Incident, type IncidentEntry } from '../../server/contract/incidents.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { createLoader } from '../resources/loader.ts';
import type { LoadState } from '../resources/resourceStore.ts';
import { Button } from '../ui/Button.tsx';
import { Moment } from '../ui/Moment.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { pendingNotes } from './incidentWork.ts';
import { entrySentence } from './incidentWords.ts';
import { attempt } from './incidentActions.ts';
import { mayWork } from './incidentCommands.ts';

/** Notes, and everything that was done, by whom and when; newest first. */
export function IncidentLog({ incident }: { incident: Incident }) {
  const app = useAppContext();
  const t = useT();
  const { incident_id } = incident;
  const waiting = useStore(app.incidentWork.outbox, (state) => state.waiting);
  const pending = pendingNotes(incident_id, waiting);
  const { entries, load, next, retry, more } = useTimeline(incident);
  // What was there when the incident was opened is not new.
  const [seen, setSeen] = useState<number | null>(null);
  if (seen === null && load.phase === 'ready') setSeen(entries[0]?.entry_id ?? 0);
  return (
    <div className="incident-log">
      {mayWork(app) && <NoteField incidentId={incident_id} />}
      <div className="incident-log__entries" tabIndex={0} role="group" aria-label={t('incident.timeline')}>
        {load.phase === 'failed' && (
          <p className="incident-log__failed" role="status">
            <span className="fill">{t('incident.timeline_failed')}</span>
            <RetryButton size="small" onRetry={retry} />
          </p>
        )}
        <ol aria-label={t('incident.timeline')}>
          {pending.map((it) => (
            <li key={it.id} className="incident-entry incident-entry--pending">
              <span className="quiet num">
                <Moment at={it.at} />
              </span>
              <div>
                <p className="quiet">{t('incident.not_sent')}</p>
                <p className="incident-entry__note">{it.text}</p>
              </div>
            </li>
          ))}
          {entries.map((entry) => (
            <Entry key={entry.entry_id} entry={entry} isNew={isNews(entry, seen, app.user.user_id)} />
          ))}
        </ol>
        {next !== null && (
          <Button size="small" kind="quiet" onPress={() => attempt(app, more)}>
            {t('incident.older')}
          </Button>
        )}
      </div>
      <NewsOfOthers entries={entries} since={seen} />
    </div>
  );
}

/** What somebody else did since it was opened here. */
const isNews = ({ entry_id, user }: IncidentEntry, since: number | null, ownId: string): boolean =>
  since !== null && entry_id > since && user !== null && user.user_id !== ownId;

/** Says what others do while it is looked at. */
function NewsOfOthers({ entries, since }: { entries: readonly IncidentEntry[]; since: number | null }) {
  const { user } = useAppContext();
  const t = useT();
  const last = entries.find((it) => isNews(it, since, user.user_id));
  return (
    <p className="unseen" role="status">
      {last !== undefined && entrySentence(last, t)}
    </p>
  );
}

/** Actions whose text is written by somebody and stands under the sentence. */
const WITH_NOTE: ReadonlySet<IncidentEntry['action']> = new Set(['note_added', 'closed', 'reopened']);

function Entry({ entry, isNew }: { entry: IncidentEntry; isNew: boolean }) {
  const t = useT();
  const { action, text, time } = entry;
  return (
    <li className={`incident-entry${isNew ? ' incident-entry--new' : ''}`}>
      <span className="quiet num">
        <Moment at={time} />
      </span>
      <div>
        <p className={action === 'note_added' ? 'quiet' : ''}>{entrySentence(entry, t)}</p>
        {WITH_NOTE.has(action) && text !== null && <p className="incident-entry__note">{text}</p>}
      </div>
    </li>
  );
}

function NoteField({ incidentId }: { incidentId: string }) {
  const app = useAppContext();
  const t = useT();
  const text = useStore(app.incidentWork.drafts, ({ byIncident }) => byIncident.get(incidentId) ?? '');
  return (
    <div className="incident-log__composer">
      <TextField
        label={t('incident.note')}
        hiddenLabel
        placeholder={t('incident.note_hint')}
        value={text}
        onChange={(next) => app.incidentWork.writeDraft(incidentId, next)}
        multiline
        maxLength={2_000}
      />
      <div className="incident-log__add">
        <span className="quiet small fill">{t('incident.note_kept')}</span>
        <Button
          size="small"
          kind="primary"
          keycap="Ctrl Enter"
          disabled={text.trim() === ''}
          onPress={() => void app.incidentWork.addNote(incidentId, text.trim())}
        >
          {t('incident.add_note')}
        </Button>
      </div>
    </div>
  );
}

/** The newest lines, read again with each change of the incident; older ones when asked for. */
function useTimeline({ incident_id, revision, last_entry }: Incident) {
  const { api, clock } = useAppContext();
  const [byId, setById] = useState<ReadonlyMap<number, IncidentEntry>>(new Map());
  const [next, setNext] = useState<string | null | undefined>(undefined);
  const [load, setLoad] = useState<LoadState>({ phase: 'loading' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const loader = createLoader({
      clock,
      read: (signal) => api.request(incidentRoutes.get, { params: { incident_id }, signal }),
      take({ timeline }) {
        setById((lines) => withEntries(lines, timeline.items));
        // Where reading on begins; what is read again later does not move it.
        setNext((from) => (from === undefined ? timeline.next_cursor : from));
      },
      // A later reading shows what it knows until it has ended.
      onState: (state) =>
        setLoad((before) => (before.phase === 'ready' && state.phase === 'loading' ? before : state)),
    });
    loader.load();
    return () => loader.stop();
  }, [api, clock, incident_id, revision, tries]);
  const entries = useMemo(() => {
    // The newest comes with the incident, before its reading has ended.
    const lines = last_entry === null ? byId : withEntries(byId, [last_entry]);
    return [...lines.values()].sort((a, b) => b.entry_id - a.entry_id);
  }, [byId, last_entry]);
  const more = async () => {
    const page = await api.request(incidentRoutes.timeline, {
      params: { incident_id },
      query: { cursor: next ?? undefined },
    });
    setById((lines) => withEntries(lines, page.items));
    setNext(page.next_cursor);
  };
  return { entries, load, next: next ?? null, more, retry: () => setTries(tries + 1) };
}

function withEntries(
  known: ReadonlyMap<number, IncidentEntry>,
  entries: readonly IncidentEntry[],
): ReadonlyMap<number, IncidentEntry> {
  return new Map([...known, ...entries.map((it) => [it.entry_id, it] as const)]);
}
