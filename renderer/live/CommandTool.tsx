import type { LucideIcon } from 'lucide-react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import type { Command } from '../commands/command.ts';
import { keycapOf } from '../commands/shortcuts.ts';
import { useT } from '../i18n/useT.ts';
import { IconButton } from '../ui/IconButton.tsx';

/** The button of a command, with its icon alone. */
export function CommandTool({
  icon,
  command,
  pressed,
}: {
  icon: LucideIcon;
  command: Command;
  pressed?: boolean;
}) {
  const app = useAppContext();
  const t = useT();
  return (
    <IconButton
      icon={icon}
      label={t(command.label)}
      keycap={command.shortcut === null ? null : keycapOf(command.shortcut)}
      onPress={() => command.run(app, '')}
      {...(pressed === undefined ? {} : { pressed })}
    />
  );
}
