import { CircleUser, Moon, Search, Sun } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import { useCommands } from '../CommandsContext.tsx';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime, useNow } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { keycapOf } from '../keyboard/shortcut.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Keycap } from '../ui/Keycap.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { ConnectionField } from './ConnectionField.tsx';
import './TopBar.css';

export function TopBar() {
  const desk = useDesk();
  const say = useText();
  const commands = useCommands();
  const depot = useStore(desk.settings, (state) => state.settings?.depot_name ?? '');
  const theme = useStore(desk.preferences, (state) => state.theme);
  const userMenu = commands.filter((command) => command.group === 'console' && command.when());
  return (
    <header className="top-bar">
      <span className="top-bar__depot" title={depot}>
        {depot}
      </span>
      <Button className="top-bar__search" onPress={() => desk.view.setState({ overlay: 'palette' })}>
        <Icon of={Search} />
        <span className="fill ellipsis">{say('palette.placeholder')}</span>
        <Keycap>/</Keycap>
        <Keycap>Ctrl K</Keycap>
      </Button>
      <ConnectionField />
      <Clock />
      <IconButton
        icon={theme === 'dark' ? Sun : Moon}
        label={theme === 'dark' ? say('theme.to_light') : say('theme.to_dark')}
        onPress={() => desk.preferences.setState({ theme: theme === 'dark' ? 'light' : 'dark' })}
      />
      <MenuButton
        size="normal"
        label={say('user.menu', { name: desk.user.name ?? desk.user.login })}
        entries={userMenu.map((command) => ({
          id: command.id,
          label: say(command.label),
          keycap: command.shortcut === null ? null : keycapOf(command.shortcut),
          run: command.run,
        }))}
      >
        <Icon of={CircleUser} />
      </MenuButton>
    </header>
  );
}

function Clock() {
  const now = useNow();
  const time = useDepotTime();
  return (
    <div className="top-bar__clock" title={time.utc(now)}>
      <b>{time.clock(now)}</b>
      <span>
        {time.date(now)} · {time.zone(now)}
      </span>
    </div>
  );
}
