import type { LucideIcon } from 'lucide-react';
import {
  Button as AriaButton,
  ToggleButton as AriaToggleButton,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import type { ReactElement } from 'react';
import { Icon } from './Icon.tsx';
import { Kbd } from './Kbd.tsx';
import './IconButton.css';

export interface IconButtonProps {
  icon: LucideIcon;
  /** Spoken, and shown in the tooltip. */
  label: string;
  /** The key that does the same, shown in the tooltip. */
  keycap?: string | null;
  size?: 'normal' | 'small';
  onPress: () => void;
  /** Given for a button that stays down. */
  pressed?: boolean;
  disabled?: boolean;
}

export function IconButton({
  icon,
  label,
  keycap = null,
  size = 'normal',
  onPress,
  pressed,
  disabled = false,
}: IconButtonProps) {
  const className = `icon-button icon-button--${size}`;
  return (
    <Tip text={label} keycap={keycap}>
      {pressed === undefined ? (
        <AriaButton className={className} aria-label={label} isDisabled={disabled} onPress={onPress}>
          <Icon of={icon} />
        </AriaButton>
      ) : (
        <AriaToggleButton
          className={className}
          aria-label={label}
          isDisabled={disabled}
          isSelected={pressed}
          onChange={onPress}
        >
          <Icon of={icon} />
        </AriaToggleButton>
      )}
    </Tip>
  );
}

/** Says on hover and on focus what a button does, and its key, or all that it has no space for. */
export function Tip({
  text,
  keycap = null,
  children,
}: {
  text: string;
  keycap?: string | null;
  children: ReactElement;
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <Tooltip className="tip" offset={6}>
        {text}
        {keycap !== null && <Kbd>{keycap}</Kbd>}
      </Tooltip>
    </TooltipTrigger>
  );
}
