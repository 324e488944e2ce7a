import { X } from 'lucide-react';
import { useContext, type ReactNode } from 'react';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Notice } from '../ui/Notice.tsx';
import { StaleBanner } from '../ui/StaleBand.tsx';
import { CloseGuardContext } from '../ui/unsaved.ts';
import type { LoadState } from './resourceStore.ts';
import '../ui/manage.css';

/** Beside a list: what is selected in it, or is being added to it. */
export function SidePanel({
  label,
  title,
  lead,
  actions,
  stale,
  onClose,
  children,
}: {
  /** Spoken. */
  label: string;
  title: string;
  /** Before the title. */
  lead?: ReactNode;
  /** Buttons of the head. */
  actions?: ReactNode;
  /** What does not work while the server is lost. */
  stale?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useT();
  const guard = useContext(CloseGuardContext);
  return (
    <section className="pane manage__side" aria-label={label} data-pane tabIndex={-1}>
      <div className="manage__side-head">
        {lead}
        <h2 className="fill ellipsis" title={title}>
          {title}
        </h2>
        {actions}
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={() => guard.close(onClose)} />
      </div>
      {stale !== undefined && <StaleBanner>{stale}</StaleBanner>}
      {children}
    </section>
  );
}

/** In place of what the address names and the list does not have: blank until the list is read. */
export function MissingPanel({
  className = 'pane manage__side',
  label,
  load,
  title,
  onClose,
  children,
}: {
  className?: string;
  label: string;
  load: LoadState;
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useT();
  return (
    <section className={className} aria-label={label} data-pane tabIndex={-1}>
      {load.phase === 'ready' && (
        <Notice
          title={title}
          actions={
            <Button keycap="Esc" onPress={onClose}>
              {t('ui.close')}
            </Button>
          }
        >
          {children}
        </Notice>
      )}
    </section>
  );
}
