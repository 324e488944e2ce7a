import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Icon } from './Icon.tsx';
import { Kbd } from './Kbd.tsx';
import './Button.css';

export interface ButtonProps {
  children: ReactNode;
  /** Left out in a form's submit button. */
  onPress?: () => void;
  kind?: 'primary' | 'plain' | 'quiet';
  size?: 'normal' | 'small';
  icon?: LucideIcon;
  /** The key that does the same, shown on the button. */
  keycap?: string | null;
  submits?: boolean;
  disabled?: boolean;
  /** Stretches over the width and centres its text. */
  wide?: boolean;
  /** Spoken where the visible text does not say enough. */
  label?: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  children,
  onPress,
  kind = 'plain',
  size = 'normal',
  icon,
  keycap = null,
  submits = false,
  disabled = false,
  wide = false,
  label,
  autoFocus = false,
  ref,
}: ButtonProps) {
  return (
    <AriaButton
      className={`button button--${kind} button--${size}${wide ? ' button--wide' : ''}`}
      type={submits ? 'submit' : 'button'}
      isDisabled={disabled}
      autoFocus={autoFocus}
      {...(ref === undefined ? {} : { ref })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(onPress === undefined ? {} : { onPress })}
    >
      {icon !== undefined && <Icon of={icon} />}
      {children}
      {keycap !== null && <Kbd>{keycap}</Kbd>}
    </AriaButton>
  );
}
