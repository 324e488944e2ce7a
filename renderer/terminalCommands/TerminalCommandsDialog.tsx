import { useState } from 'react';
import type { TerminalCommand } from '../../server/contract/terminalCommands.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useT } from '../i18n/useT.ts';
import { Modal } from '../ui/Modal.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { CommandForm } from './CommandForm.tsx';
import { CommandList } from './CommandList.tsx';
import { TerminalHead } from './TerminalHead.tsx';
import { useCommandFeed, useReach } from './useTerminal.ts';
import './terminalCommands.css';

/** Sends a command to the terminal of a vehicle, and shows the outcome of earlier ones. */
export function TerminalCommandsDialog({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const t = useT();
  const reach = useReach(vehicle.vehicle_id);
  const { feed, commands, load, older } = useCommandFeed(vehicle.vehicle_id);
  /** The command that the form begins with; counted, as the same one may be requested twice. */
  const [again, setAgain] = useState<{ command: TerminalCommand | null; times: number }>({
    command: null,
    times: 0,
  });
  return (
    <Modal title={t('terminal.title', { vehicle: vehicle.name })} onClose={onClose} width={640}>
      <StaleBanner>{t('terminal.stale')}</StaleBanner>
      <TerminalHead vehicle={vehicle} reach={reach} />
      <CommandForm
        key={again.times}
        vehicle={vehicle}
        reach={reach}
        commands={commands}
        begin={again.command}
        onSend={(filter) => feed.send(filter)}
      />
      <CommandList
        feed={feed}
        commands={commands}
        load={load}
        older={older}
        isOnline={reach !== null && reach.protocol !== null}
        onAgain={(command) => setAgain(({ times }) => ({ command, times: times + 1 }))}
      />
    </Modal>
  );
}
