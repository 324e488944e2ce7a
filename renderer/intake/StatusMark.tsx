import {
  Check,
  CheckCheck,
  CircleDashed,
  Ellipsis,
  FileQuestionMark,
  Minus,
  Unplug,
  X,
  type LucideIcon,
} from 'lucide-react';
import { Icon } from '../ui/Icon.tsx';
import type { MessageStatus } from './messageStatus.ts';

const shapes: Readonly<Record<MessageStatus, LucideIcon>> = {
  failed: Unplug,
  unknown: CircleDashed,
  unreadable: FileQuestionMark,
  refused: X,
  through: Check,
  repeated: CheckCheck,
  pending: Ellipsis,
  said: Minus,
};

/** What became of a message, as a shape beside its words: colour is kept for vehicles and alarms. */
export function StatusMark({ verdict }: { verdict: MessageStatus }) {
  return <Icon of={shapes[verdict]} />;
}
