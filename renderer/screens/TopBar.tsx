import { CircleUser, Moon, Search, Sun } from 'lucide-react';
import { Button } from 'react-aria-components';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { COMMANDS } from '../commands/commands.ts';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { keycapOf } from '../commands/shortcuts.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Kbd } from '../ui/Kbd.tsx';
import { MenuButton } from '../ui/MenuButton.tsx';
import { ConnectionField } from './ConnectionField.tsx';
import './TopBar.css';

export function TopBar() {
  const app = useAppContext();
  const t = useT();
  const depot = useStore(app.settings, (state) => state.settings?.depot_name ?? '');
  const theme = useStore(app.preferences, (state) => state.theme);
  const userMenu = COMMANDS.filter((command) => command.group === 'console' && command.when(app));
  return (
    <header className="top-bar">
      <span className="top-bar__depot" title={depot}>
        {depot}
      </span>
      <Button className="top-bar__search" onPress={() => app.view.setState({ overlay: 'palette' })}>
        <Icon of={Search} />
        <span className="fill ellipsis">{t('palette.placeholder')}</span>
        <Kbd>/</Kbd>
        <Kbd>Ctrl K</Kbd>
      </Button>
      <ConnectionField />
      <Clock />
      <IconButton
        icon={theme === 'dark' ? Sun : Moon}
        label={theme === 'dark' ? t('theme.to_light') : t('theme.to_dark')}
        onPress={() => app.preferences.setState({ theme: theme === 'dark' ? 'light' : 'dark' })}
      />
      <MenuButton
        size="normal"
        label={t('user.menu', { name: app.user.name ?? app.user.login })}
        entries={userMenu.map((command) => ({
          id: command.id,
          label: t(command.label),
          keycap: command.shortcut === null ? null : keycapOf(command.shortcut),
          run: () => command.run(app, ''),
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
