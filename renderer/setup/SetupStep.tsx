import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../ui/Icon.tsx';

/** One step of the first run: to come, at hand, or done. */
export function SetupStep({
  number,
  state,
  title,
  children,
}: {
  number: number;
  state: 'later' | 'now' | 'done';
  title: string;
  children: ReactNode;
}) {
  return (
    <section className={`setup-step setup-step--${state}`}>
      <span className="setup-step__number" aria-hidden>
        {state === 'done' ? <Icon of={Check} /> : number}
      </span>
      <div className="setup-step__body">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
