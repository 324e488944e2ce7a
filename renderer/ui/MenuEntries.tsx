import { Menu, MenuItem, MenuSection, Separator } from 'react-aria-components';
import { Kbd } from './Kbd.tsx';
import type { MenuEntry } from './menuEntry.ts';
import './MenuButton.css';

/** The commands of a menu, in sections with a line between them. */
export function MenuEntries({
  label,
  sections,
  autoFocus = false,
  onClose,
}: {
  /** Spoken. */
  label: string;
  sections: readonly (readonly MenuEntry[])[];
  /** The first has the focus as the menu opens. */
  autoFocus?: boolean;
  /** After one was chosen; the button of a menu closes it by itself. */
  onClose?: () => void;
}) {
  return (
    <Menu
      className="menu"
      aria-label={label}
      {...(autoFocus ? { autoFocus: 'first' as const } : {})}
      {...(onClose === undefined ? {} : { onClose })}
    >
      {sections.map((entries, at) => [
        at > 0 && <Separator key={`line-${at}`} className="menu__line" />,
        <MenuSection key={entries[0]?.id ?? at} aria-label={label}>
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
        </MenuSection>,
      ])}
    </Menu>
  );
}
