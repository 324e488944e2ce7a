import { Check, ChevronDown, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  Button,
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Tag,
  TagGroup,
  TagList,
  Text,
} from 'react-aria-components';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { createItemSearch } from '../search/itemSearch.ts';
import { Icon } from './Icon.tsx';
import { useUnsavedField } from './unsaved.ts';
import './MultiSelect.css';

/** Matches that are listed; who looks for another one goes on typing. */
const LISTED = 50;
/** In place of an id: what is typed is to be added. */
const NEW = 'new';
/** Chips that are drawn. */
const CHIPS = 200;

export interface Pickable {
  id: string;
  name: string;
  /** What else it is found by, shown beside its name. */
  detail: string;
}

export interface MultiSelectProps {
  label: string;
  /** In the order in which they are listed while nothing is typed. Must keep its identity while it is the same. */
  items: readonly Pickable[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  single?: boolean;
  /** Adds what is typed and is not among the items; answers its id, null when that did not work. Of many only. */
  onCreate?: (name: string) => Promise<string | null>;
  /** What a chosen one is called that is not among the items. */
  unknownName?: string;
  placeholder?: string;
  hint?: string;
  fault?: string | null;
  disabled?: boolean;
}

/** One or many of a long list, found by typing; the many stand above the field as chips that can be taken out. */
export function MultiSelect(props: MultiSelectProps) {
  useUnsavedField(props.value.join(' '));
  return props.single === true ? <PickOne {...props} /> : <PickMany {...props} />;
}

function PickMany(props: MultiSelectProps) {
  const { label, items, value, onChange, onCreate, unknownName, disabled } = props;
  const t = useT();
  const [typed, setTyped] = useState('');
  const matches = useFound(items, typed);
  const newName = typed.trim();
  const isNew =
    onCreate !== undefined &&
    newName !== '' &&
    !items.some((item) => item.name.toLowerCase() === newName.toLowerCase());
  const found = isNew
    ? {
        ...matches,
        items: [...matches.items, { id: NEW, name: t('pick.create', { name: newName }), detail: '' }],
      }
    : matches;
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const chips = value
    .slice(0, CHIPS)
    .map((id) => ({ id, name: byId.get(id)?.name ?? unknownName ?? t('pick.unknown') }));
  return (
    <div className="field">
      {chips.length > 0 && (
        <TagGroup
          aria-label={label}
          className="chips"
          {...(disabled === true
            ? {}
            : { onRemove: (gone) => onChange(value.filter((id) => !gone.has(id))) })}
        >
          <TagList items={chips} dependencies={[disabled]} className="chips__list">
            {(chip) => (
              <Tag id={chip.id} textValue={chip.name} className="chip">
                <span className="ellipsis">{chip.name}</span>
                {disabled !== true && (
                  <Button
                    slot="remove"
                    className="chip__remove"
                    aria-label={t('pick.remove', { name: chip.name })}
                  >
                    <Icon of={X} />
                  </Button>
                )}
              </Tag>
            )}
          </TagList>
          {value.length > CHIPS && (
            <span className="faint small">
              {t('pick.more', { number: formatNumber(value.length - CHIPS) })}
            </span>
          )}
        </TagGroup>
      )}
      <ComboBox<Pickable, 'multiple'>
        className="field pick pick--many"
        selectionMode="multiple"
        items={found.items}
        value={[...value]}
        onChange={(keys) => {
          const next = keys.map(String);
          setTyped('');
          if (isNew && next.includes(NEW)) {
            void onCreate(newName).then((id) => {
              if (id !== null) onChange([...value, id]);
            });
            return;
          }
          if (next.length !== value.length || next.some((id) => !value.includes(id))) onChange(next);
        }}
        inputValue={typed}
        onInputChange={setTyped}
        onOpenChange={(open) => {
          if (!open) setTyped('');
        }}
        onBlur={() => setTyped('')}
        {...boxProps(props)}
      >
        <Inner {...props} found={found} />
      </ComboBox>
    </div>
  );
}

function PickOne(props: MultiSelectProps) {
  const { items, value, onChange, unknownName } = props;
  const t = useT();
  const [typed, setTyped] = useState<string | null>(null);
  const found = useFound(items, typed ?? '');
  const chosen = value[0] ?? null;
  const name = useMemo(
    () =>
      chosen === null
        ? ''
        : (items.find((item) => item.id === chosen)?.name ?? unknownName ?? t('pick.unknown')),
    [items, chosen, unknownName, t],
  );
  return (
    <ComboBox<Pickable>
      className="field pick"
      items={found.items}
      value={chosen}
      onChange={(key) => {
        setTyped(null);
        if (key !== null && key !== chosen) onChange([String(key)]);
      }}
      inputValue={typed ?? name}
      onInputChange={(text) => setTyped(text === name ? null : text)}
      onOpenChange={(open) => {
        // An emptied field means none, as soon as it is left.
        if (!open && typed !== '') setTyped(null);
      }}
      onBlur={() => {
        if (typed === '' && chosen !== null) onChange([]);
        setTyped(null);
      }}
      {...boxProps(props)}
    >
      <Inner {...props} found={found} />
    </ComboBox>
  );
}

function boxProps({ fault, disabled = false }: MultiSelectProps) {
  return {
    isInvalid: fault != null,
    isDisabled: disabled,
    allowsEmptyCollection: true,
    validationBehavior: 'aria',
  } as const;
}

interface Found {
  items: Pickable[];
  /** Matches that are not listed. */
  more: number;
}

const pickSearch = createItemSearch(({ name, detail }: Pickable) => [name, detail]);

function useFound(items: readonly Pickable[], typed: string): Found {
  return useMemo(() => {
    if (typed.trim() === '')
      return { items: items.slice(0, LISTED), more: Math.max(0, items.length - LISTED) };
    const { found, others } = pickSearch.best(items, typed, LISTED);
    return { items: found.map(({ item }) => item), more: others };
  }, [items, typed]);
}

function Inner({ label, placeholder, hint, fault, found }: MultiSelectProps & { found: Found }) {
  const t = useT();
  return (
    <>
      <Label className="field__label">{label}</Label>
      <div className="pick__box">
        <Input
          className="field__input"
          spellCheck={false}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        <Button className="pick__open">
          <Icon of={ChevronDown} />
        </Button>
      </div>
      {hint !== undefined && (
        <Text slot="description" className="field__hint">
          {hint}
        </Text>
      )}
      <FieldError className="field__fault">{fault}</FieldError>
      <Popover className="popover pick__popover" offset={4}>
        <ListBox<Pickable>
          className="choice__list"
          renderEmptyState={() => <p className="pick__none">{t('pick.none')}</p>}
        >
          {(item) => (
            <ListBoxItem
              id={item.id}
              className="choice__option pick__option"
              textValue={`${item.name} ${item.detail}`}
            >
              {({ isSelected }) => (
                <>
                  <span className="pick__check">{isSelected && <Icon of={Check} />}</span>
                  <span className="strong">{item.name}</span>
                  <span className="quiet ellipsis">{item.detail}</span>
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
        {found.more > 0 && (
          <p className="pick__more">{t('pick.type_on', { number: formatNumber(found.more) })}</p>
        )}
      </Popover>
    </>
  );
}
