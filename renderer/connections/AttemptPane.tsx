import { useState } from 'react';
import type { HostProbe, NewConnection, SavedConnection } from '../../electron/bridge/channels.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { TextField } from '../ui/TextField.tsx';
import { apiTexts } from './remoteHost.ts';

export type Asked = Omit<NewConnection, 'name'>;

/** What is asked of, and what came of it. */
export interface Attempt {
  asked: Asked;
  /** Null: a host that is not saved yet. */
  known: SavedConnection | null;
  /** Null while the host is asked. */
  probe: HostProbe | null;
}

/** What a host said, and what has to be confirmed before anything else is sent to it. */
export function AttemptPane({
  attempt: { asked, known, probe },
  busy,
  onAsk,
  onOpen,
  onBack,
}: {
  attempt: Attempt;
  busy: boolean;
  onAsk: (asked: Asked) => void;
  onOpen: (name: string) => void;
  onBack: () => void;
}) {
  const t = useT();
  const [name, setName] = useState<string | null>(null);
  const back = <Button onPress={onBack}>{t('connections.back')}</Button>;
  if (probe === null)
    return (
      <>
        <p role="status">{t('connections.asking', { host: asked.url })}</p>
        <div className="modal__actions">
          <Button onPress={onBack}>{t('ui.cancel')}</Button>
        </div>
      </>
    );
  switch (probe.state) {
    case 'invalid':
    case 'unreachable': {
      const reason = detailText({ detail: probe.reason, causes: probe.causes }, t);
      return (
        <>
          <p role="alert">
            {probe.state === 'invalid'
              ? t('connections.invalid', { reason })
              : t('connections.unreachable', { host: probe.url, reason })}
          </p>
          <div className="modal__actions">
            {back}
            {known !== null && (
              <Button onPress={() => onOpen(known.name)}>{t('connections.open_anyway')}</Button>
            )}
            <Button kind="primary" onPress={() => onAsk(asked)}>
              {t('ui.try_now')}
            </Button>
          </div>
        </>
      );
    }
    case 'insecure':
      return (
        <>
          <p role="alert">{t('connections.insecure', { host: probe.url })}</p>
          <div className="modal__actions">
            <Button onPress={() => onAsk({ ...asked, url: probe.url, insecure: true })}>
              {t('connections.insecure_confirm')}
            </Button>
            {back}
          </div>
        </>
      );
    case 'untrusted':
      return (
        <>
          <p>{t('connections.untrusted', { host: probe.url })}</p>
          <Fingerprint label={t('connections.fingerprint')} value={probe.fingerprint} />
          <div className="modal__actions">
            {back}
            <Button
              kind="primary"
              onPress={() => onAsk({ ...asked, url: probe.url, fingerprint: probe.fingerprint })}
            >
              {t('connections.trust')}
            </Button>
          </div>
        </>
      );
    case 'changed':
      return (
        <>
          <p role="alert">{t('connections.changed', { host: probe.url })}</p>
          <Fingerprint label={t('connections.fingerprint_before')} value={probe.expected} />
          <Fingerprint label={t('connections.fingerprint_now')} value={probe.found} />
          <div className="modal__actions">
            <Button onPress={() => onAsk({ ...asked, url: probe.url, fingerprint: probe.found })}>
              {t('connections.trust_new')}
            </Button>
            {back}
          </div>
        </>
      );
    case 'found': {
      const given = name ?? known?.name ?? probe.depotName;
      const api = apiTexts[probe.api];
      return (
        <Form onSubmit={() => onOpen(given)}>
          <p>{t('connections.found', { depot: probe.depotName, host: probe.url, version: probe.version })}</p>
          {api !== null && <p className="form-sentence">{t(api)}</p>}
          {known === null && (
            <TextField label={t('connections.name')} value={given} onChange={setName} maxLength={200} />
          )}
          <div className="modal__actions">
            {back}
            <Button kind="primary" submits autoFocus disabled={busy || given.trim() === ''}>
              {t('connections.connect')}
            </Button>
          </div>
        </Form>
      );
    }
  }
}

function Fingerprint({ label, value }: { label: string; value: string }) {
  return (
    <div className="fingerprint">
      <span className="quiet">{label}</span>
      <code>{value}</code>
    </div>
  );
}
