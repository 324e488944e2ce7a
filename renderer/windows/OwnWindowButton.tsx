import { AppWindow } from 'lucide-react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { keycapOf } from '../commands/shortcuts.ts';
import { useT } from '../i18n/useT.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { openWindow, ownWindowCommand } from './windowCommands.ts';
import type { WindowName } from './windowNames.ts';

/** Opens a pane or a screen in its own window; nothing where it is in one. */
export function OwnWindowButton({ of, size = 'small' }: { of: WindowName; size?: 'normal' | 'small' }) {
  const app = useAppContext();
  const t = useT();
  if (app.windows.name !== null) return null;
  return (
    <IconButton
      icon={AppWindow}
      size={size}
      label={t(ownWindowCommand.label)}
      keycap={keycapOf(ownWindowCommand.shortcut ?? '')}
      onPress={() => openWindow(app, of)}
    />
  );
}
