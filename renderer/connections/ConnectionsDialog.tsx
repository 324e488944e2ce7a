import { useState } from 'react';
import type { Connections, FoundHost, SavedConnection } from '../../electron/bridge/channels.ts';
import { useT } from '../i18n/useT.ts';
import type { RemoteHosts } from '../platform/platform.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { Modal } from '../ui/Modal.tsx';
import { TextField } from '../ui/TextField.tsx';
import { AttemptPane, type Asked, type Attempt } from './AttemptPane.tsx';
import './connections.css';
import { asSentence } from './remoteHost.ts';

/** The hosts that this computer connects to: opened, added, renamed and removed. */
export function ConnectionsDialog({
  hosts,
  first,
  onClose,
}: {
  hosts: RemoteHosts;
  /** As they are when it opens. */
  first: Connections;
  onClose: () => void;
}) {
  const t = useT();
  const [connections, setConnections] = useState(first);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [address, setAddress] = useState('');
  const { busy, sentence, run, reset } = useAction();

  const act = (change: () => Promise<unknown>) => void run(change, { sentence: asSentence });
  const change = (changed: () => Promise<Connections>) =>
    act(async () => {
      setConnections(await changed());
    });
  const open = (id: string | null) => act(() => hosts.open(id));

  const ask = (asked: Asked, known: SavedConnection | null) => {
    setAttempt({ asked, known, probe: null });
    void run(
      async (counts) => {
        const probe = await hosts.probe(asked);
        if (!counts()) return;
        // A saved host that answers as it did needs no further question.
        const isAsSaved = probe.state === 'found' && known?.fingerprint === probe.fingerprint;
        if (isAsSaved && probe.api === 'same') await hosts.open(known.id);
        else setAttempt({ asked, known, probe });
      },
      { sentence: asSentence, onFailure: () => setAttempt(null) },
    );
  };
  const back = () => {
    reset();
    setAttempt(null);
  };

  /** A host that answers later is not opened any more. */
  const close = () => {
    reset();
    onClose();
  };

  return (
    <Modal title={t('connections.title')} width={640} onClose={close} unsaved={false}>
      {attempt === null ? (
        <>
          <ul className="connections">
            <OwnDepotRow connections={connections} busy={busy} onOpen={() => open(null)} />
            {connections.items.map((it) => (
              <ConnectionRow
                key={it.id}
                connection={it}
                isCurrent={it.id === connections.current}
                busy={busy}
                onOpen={() => ask(it, it)}
                onRename={(name) => change(() => hosts.rename(it.id, name))}
                onRemove={() => change(() => hosts.remove(it.id))}
              />
            ))}
          </ul>
          <Form onSubmit={() => ask({ url: address, fingerprint: null, insecure: false }, null)}>
            <TextField
              label={t('connections.address')}
              value={address}
              onChange={setAddress}
              placeholder="https://depot.example:8471"
              hint={t('connections.address_about')}
              maxLength={300}
              autoFocus
            />
            <div className="modal__actions">
              <Button kind="primary" submits disabled={busy || address.trim() === ''}>
                {t('connections.connect')}
              </Button>
            </div>
          </Form>
          <FoundHosts
            hosts={hosts}
            busy={busy}
            onChoose={(url) => ask({ url, fingerprint: null, insecure: false }, null)}
          />
          <Failure>{sentence}</Failure>
        </>
      ) : (
        <>
          <AttemptPane
            attempt={attempt}
            busy={busy}
            onAsk={(asked) => ask(asked, attempt.known)}
            onOpen={(name) =>
              act(async () => {
                const { asked, known, probe } = attempt;
                if (known !== null && known.fingerprint === asked.fingerprint) return hosts.open(known.id);
                const url = probe !== null && 'url' in probe ? probe.url : asked.url;
                const { id } = await hosts.add({ ...asked, url, name });
                return hosts.open(id);
              })
            }
            onBack={back}
          />
          <Failure>{sentence}</Failure>
        </>
      )}
    </Modal>
  );
}

/** Hosts that announce themselves on the network, once the operator asks for them. */
function FoundHosts({
  hosts,
  busy,
  onChoose,
}: {
  hosts: RemoteHosts;
  busy: boolean;
  onChoose: (url: string) => void;
}) {
  const t = useT();
  const [found, setFound] = useState<FoundHost[] | null>(null);
  const { busy: looking, sentence, run } = useAction();
  return (
    <>
      <div>
        <Button
          disabled={looking || busy}
          onPress={() => void run(async () => setFound(await hosts.look()), { sentence: asSentence })}
        >
          {t('connections.look')}
        </Button>
      </div>
      <p role="status" className="quiet">
        {looking ? t('connections.looking') : found?.length === 0 ? t('connections.found_none') : ''}
      </p>
      {!looking && found !== null && found.length > 0 && (
        <ul className="connections" aria-label={t('connections.found_hosts')}>
          {found.map(({ name, url }) => (
            <li key={url} className="connections__row">
              <span className="connections__name">
                {name}
                <span className="quiet">{url}</span>
              </span>
              <Button
                size="small"
                disabled={busy}
                onPress={() => onChoose(url)}
                label={t('connections.connect_to', { name })}
              >
                {t('connections.connect')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Failure>{sentence}</Failure>
    </>
  );
}

function OwnDepotRow({
  connections: { current, ownDepot },
  busy,
  onOpen,
}: {
  connections: Connections;
  busy: boolean;
  onOpen: () => void;
}) {
  const t = useT();
  return (
    <li className="connections__row">
      <span className="connections__name">
        {t('connections.own')}
        <span className="quiet">
          {t(
            ownDepot.runs
              ? ownDepot.starts
                ? 'connections.own_runs'
                : 'connections.own_ends'
              : ownDepot.starts
                ? 'connections.own_starts'
                : 'connections.own_off',
          )}
        </span>
      </span>
      {ownDepot.runs && current === null && <span className="quiet">{t('connections.shown')}</span>}
      {ownDepot.runs && current !== null && (
        <Button size="small" disabled={busy} onPress={onOpen}>
          {t('connections.show')}
        </Button>
      )}
    </li>
  );
}

function ConnectionRow(props: {
  connection: SavedConnection;
  isCurrent: boolean;
  busy: boolean;
  onOpen: () => void;
  onRename: (name: string) => void;
  onRemove: () => void;
}) {
  const { connection, isCurrent, busy, onOpen, onRename, onRemove } = props;
  const t = useT();
  const [name, setName] = useState<string | null>(null);
  if (name !== null)
    return (
      <li className="connections__row">
        <Form
          className="connections__rename"
          onSubmit={() => {
            onRename(name);
            setName(null);
          }}
        >
          <TextField
            label={t('connections.name')}
            hiddenLabel
            value={name}
            onChange={setName}
            maxLength={200}
            autoFocus
          />
          <Button size="small" kind="primary" submits disabled={name.trim() === ''}>
            {t('ui.save')}
          </Button>
          <Button size="small" onPress={() => setName(null)}>
            {t('ui.cancel')}
          </Button>
        </Form>
      </li>
    );
  return (
    <li className="connections__row">
      <span className="connections__name">
        {connection.name}
        <span className="quiet">
          {connection.url}
          {connection.url.startsWith('http:') && ` · ${t('connections.unencrypted')}`}
        </span>
      </span>
      {isCurrent && <span className="quiet">{t('connections.shown')}</span>}
      <Button
        size="small"
        disabled={busy}
        onPress={onOpen}
        label={t('connections.connect_to', { name: connection.name })}
      >
        {t(isCurrent ? 'connections.reconnect' : 'connections.connect')}
      </Button>
      <Button size="small" kind="quiet" onPress={() => setName(connection.name)}>
        {t('connections.rename')}
      </Button>
      {!isCurrent && (
        <ConfirmButton
          size="small"
          confirm={t('connections.remove_confirm')}
          onConfirm={onRemove}
          disabled={busy}
        >
          {t('connections.remove')}
        </ConfirmButton>
      )}
    </li>
  );
}
