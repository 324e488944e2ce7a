import { useEffect, useRef, type ReactNode } from 'react';
import type { FieldErrors } from './formFaults.ts';
import './form.css';

/**
 * A form that leaves the page alone: sent by Enter, its button, Ctrl Enter from a text of
 * several lines and, where it asks for it, Ctrl S. When faults come, the
 * focus goes to the first field that has one.
 */
export function Form({
  className = 'form-column',
  onSubmit,
  faults,
  hasSaveKey = false,
  children,
}: {
  className?: string;
  /** Null: it cannot be sent now. */
  onSubmit: (() => unknown) | null;
  faults?: FieldErrors | undefined;
  /** Ctrl S sends it, wherever the focus is. */
  hasSaveKey?: boolean;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (faults === undefined || Object.keys(faults).length === 0) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // A field that is folded away cannot take the focus.
    first?.closest('details')?.setAttribute('open', '');
    first?.focus();
  }, [faults]);
  useEffect(() => {
    if (!hasSaveKey) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      onSubmit?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });
  return (
    <form
      ref={form}
      className={className}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        const button = form.current?.querySelector<HTMLButtonElement>('button[type=submit]');
        // As Enter does: a button that is switched off sends nothing.
        if (button?.disabled !== true) form.current?.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog may be opened from within another form.
        event.stopPropagation();
        onSubmit?.();
      }}
    >
      {children}
    </form>
  );
}

/** Why something could not be done; nothing for null. */
export function Failure({ children }: { children: string | null }) {
  return (
    children !== null && (
      <p className="form-sentence" role="alert">
        {children}
      </p>
    )
  );
}
