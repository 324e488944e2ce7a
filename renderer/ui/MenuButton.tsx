import type { ReactNode } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Kbd } from './Kbd.tsx';
import './MenuButton.css';

export interface MenuEntry {
  id: string;
  label: string;
  keycap?: string | null;
  disabled?: boolean;
  run?: () => void;
  /** A link out of the console, in place of `run`. */
  href?: string;
}

/** A button that opens a menu of commands. */
export function MenuButton({
  label,
  children,
  entries,
  size = 'small',
}: {
  label: string;
  children: ReactNode;
  entries: readonly MenuEntry[];
  size?: 'normal' | 'small';
}) {
  return (
    <MenuTrigger>
      <Button className={`icon-button icon-button--${size}`} aria-label={label}>
        {children}
      </Button>
      <Popover className="popover" offset={4} placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {entries.map((entry) => (
            <MenuItem
              key={entry.id}
              id={entry.id}
              className="menu__item"
              textValue={entry.label}
              isDisabled={entry.disabled ?? false}
              {...(entry.href === undefined
                ? { onAction: () => entry.run?.() }
                : { href: entry.href, target: '_blank', rel: 'noreferrer' })}
            >
              <span className="fill">{entry.label}</span>
              {entry.keycap !== undefined && entry.keycap !== null && <Kbd>{entry.keycap}</Kbd>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
