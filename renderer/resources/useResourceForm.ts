import { useMemo, useState } from 'react';
import type { z } from 'zod';
import { useStore } from 'zustand';
import { kindOfIssue } from '../../server/contract/fieldFaults.ts';
import type { FieldError, ProblemCode } from '../../server/contract/problem.ts';
import { isProblem } from '../api/errors.ts';
import { useT } from '../i18n/useT.ts';
import { placeFaults, type FieldErrors, type ProblemTexts } from '../ui/formFaults.ts';
import { useUnsaved } from '../ui/unsaved.ts';
import { isSame, rebaseForm } from './rebaseForm.ts';
import { useAction } from './useAction.ts';
import { createStore } from 'zustand/vanilla';

/** What saving sends: checked by the contract's own schema before it goes out. */
export interface FormRequest<Item> {
  schema: z.ZodType;
  body: unknown;
  /** Throws ApiProblem, Unreachable. */
  send: () => Promise<Item>;
}

export interface ResourceFormOptions<Item extends object, Form extends object> {
  /** The newest state that is known; null for something new. */
  item: Item | null;
  /** Must keep its identity. */
  formOf: (item: Item | null) => Form;
  /** What saves the form over `base`; null when that would change nothing; or the fields that cannot be sent. */
  requestOf: (form: Form, base: Item | null) => FormRequest<Item> | { faults: FieldErrors } | null;
  /** Fields that show what is wrong with them. */
  fields: readonly string[];
  texts?: ProblemTexts;
  /** Somebody else has saved it: the newest state is to be read. The stream brings it too; the answer may be faster. */
  onConflict?: (item: Item | null) => unknown;
  /** The answers that are a conflict; a version that is too old when it is left out. */
  conflicts?: readonly ProblemCode[];
  /** Where what is typed outlives the form. */
  drafts?: { of: Drafts<Item, Form>; id: string };
}

/**
 * The form of something that is created or changed. It follows what others save until something is typed, and from then
 * on keeps what was typed; a newer state of somebody else is then never overwritten unseen.
 */
export function useResourceForm<Item extends object, Form extends object>({
  item,
  formOf,
  requestOf,
  fields,
  texts = {},
  onConflict,
  conflicts = ['version_conflict'],
  drafts,
}: ResourceFormOptions<Item, Form>) {
  const t = useT();
  const { busy, sentence, faults, run, show } = useAction();
  const [own] = useState(() => createDrafts<Item, Form>());
  const formDrafts = drafts?.of ?? own;
  const id = drafts?.id ?? '';
  const draft = useStore(formDrafts.store, (state) => state.byId.get(id)) ?? null;
  const form = useMemo(() => draft?.form ?? formOf(item), [draft, formOf, item]);
  const base = draft?.base ?? item;
  const isDirty = (draft !== null || item === null) && requestOf(form, base) !== null;
  // While saving, what the stream brings may be this very change.
  const isBehind = isDirty && !busy && base !== null && item !== null && versionOf(item) > versionOf(base);

  const keep = (next: Form, from: Item | null) =>
    formDrafts.keep(id, isSame(next, formOf(from)) ? null : { base: from, form: next });
  const change = (part: Partial<Form>) => {
    show();
    keep({ ...(formDrafts.get(id)?.form ?? form), ...part }, base);
  };

  /**
   * Answers what is stored then, null when it could not be saved. While others are ahead nothing is saved, unless
   * `overTheirs`: then what this form changes goes on top of theirs.
   */
  const save = async (overTheirs = false): Promise<Item | null> => {
    if (busy || (isBehind && !overTheirs)) return null;
    const against = isBehind ? item : base;
    const sent = isBehind ? rebaseForm(form, formOf(base), formOf(item)) : form;
    const request = requestOf(sent, against);
    if (request === null) {
      formDrafts.keep(id, null);
      return against;
    }
    if ('faults' in request) {
      show({ faults: request.faults });
      return null;
    }
    const checked = request.schema.safeParse(request.body);
    if (!checked.success) {
      show(placeFaults(checked.error.issues.map(faultOfIssue), fields, t));
      return null;
    }
    let saved: Item | null = null;
    await run(
      async () => {
        saved = await request.send();
        // What was typed while this was under way is still to be saved.
        keep(rebaseForm(formDrafts.get(id)?.form ?? form, form, formOf(saved)), saved);
      },
      {
        texts,
        fields,
        onFailure: async (error) => {
          if (isProblem(error, ...conflicts)) {
            try {
              await onConflict?.(against);
            } catch {
              // The sentence says that there is a conflict; the stream brings the other state.
            }
          }
        },
      },
    );
    return saved;
  };

  const reset = () => {
    show();
    formDrafts.keep(id, null);
  };
  const isTyped = draft !== null;
  useUnsaved(isTyped, reset);

  return {
    form,
    base,
    /** Whether anything is typed that is not saved. */
    isTyped,
    change,
    isDirty,
    isBehind,
    busy,
    faults,
    sentence,
    save,
    /** Throws away what was typed and shows the newest state. */
    reset,
    /** Goes on from what was saved here in another way than by this form, with what was typed on top. */
    take: (saved: Item) => {
      const typed = formDrafts.get(id);
      if (typed?.base != null && !isBehind)
        keep(rebaseForm(typed.form, formOf(typed.base), formOf(saved)), saved);
    },
    /** What a field of the form needs; `path` is where its faults stand, if not under its name. */
    field: <Name extends keyof Form & string>(name: Name, path: string = name) => ({
      value: form[name],
      onChange: (value: Form[Name]) => change({ [name]: value } as unknown as Partial<Form>),
      fault: faults[path] ?? null,
    }),
  };
}

export type ResourceForm<Item extends object, Form extends object> = ReturnType<
  typeof useResourceForm<Item, Form>
>;

/** What bears no version is never behind. */
const versionOf = (item: object): number =>
  'version' in item && typeof item.version === 'number' ? item.version : 0;

const faultOfIssue = (issue: z.core.$ZodIssue): FieldError => ({
  path: issue.path.join('.'),
  message: issue.message,
  ...kindOfIssue(issue),
});

/** A form that was not saved, with the state that it began from; null for something new. */
interface Draft<Item, Form> {
  base: Item | null;
  form: Form;
}

/** What was typed and not saved, by the id of what it is about. */
export function createDrafts<Item, Form>() {
  const store = createStore<{ byId: ReadonlyMap<string, Draft<Item, Form>> }>(() => ({ byId: new Map() }));
  return {
    store,
    get: (id: string): Draft<Item, Form> | null => store.getState().byId.get(id) ?? null,
    keep(id: string, draft: Draft<Item, Form> | null): void {
      store.setState(({ byId }) => {
        const next = new Map(byId);
        if (draft === null) next.delete(id);
        else next.set(id, draft);
        return { byId: next };
      });
    },
  };
}

export type Drafts<Item, Form> = ReturnType<typeof createDrafts<Item, Form>>;
