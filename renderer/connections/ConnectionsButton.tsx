import { useEffect, useState } from 'react';
import type { Connections } from '../../electron/bridge/channels.ts';
import { useT } from '../i18n/useT.ts';
import type { RemoteHosts } from '../platform/platform.ts';
import { useConsole } from '../RootContext.tsx';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { laterPart } from '../screens/laterPart.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { asSentence } from './remoteHost.ts';

const dialog = laterPart(async () => (await import('./ConnectionsDialog.tsx')).ConnectionsDialog);

/** Opens the dialog of the hosts that this computer connects to; nothing where the platform connects to none. */
export function ConnectionsButton({ wide = false }: { wide?: boolean }) {
  const { remoteHosts } = useConsole().platform;
  return remoteHosts === null ? null : <OpenDialog hosts={remoteHosts} wide={wide} />;
}

function OpenDialog({ hosts, wide = false }: { hosts: RemoteHosts; wide?: boolean }) {
  const t = useT();
  const [opened, setOpened] = useState<Connections | null>(null);
  const { busy, sentence, run } = useAction();
  // It is there when no server is.
  useEffect(() => {
    dialog.fetch().catch(() => undefined);
  }, []);
  const open = () => void run(async () => setOpened(await hosts.list()), { sentence: asSentence });
  return (
    <>
      <Button kind={wide ? 'quiet' : 'plain'} wide={wide} disabled={busy} onPress={open}>
        {t('connections.open')}
      </Button>
      <Failure>{sentence}</Failure>
      {opened !== null && <dialog.Part hosts={hosts} first={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

/** In the settings: the hosts, and whether this computer runs a depot of its own. */
export function DepotsOfThisComputer({ hosts }: { hosts: RemoteHosts }) {
  const t = useT();
  const [connections, setConnections] = useState<Connections | null>(null);
  const { sentence, run } = useAction();
  useEffect(() => {
    void run(async () => setConnections(await hosts.list()), { sentence: asSentence });
  }, [hosts, run]);
  return (
    <>
      <div>
        <OpenDialog hosts={hosts} />
      </div>
      {connections !== null && (
        <Toggle
          label={t('connections.own_depot')}
          hint={t('connections.own_depot_about')}
          on={connections.ownDepot.starts}
          onChange={(starts) =>
            void run(async () => setConnections(await hosts.startOwnDepot(starts)), {
              sentence: asSentence,
            })
          }
        />
      )}
      <Failure>{sentence}</Failure>
    </>
  );
}
