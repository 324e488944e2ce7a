import { Flag, X } from 'lucide-react';
import { useState, useMemo } from 'react';
import {
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  Input,
  Popover,
  TextField,
} from 'react-aria-components';
import { useStore } from 'zustand';
import { useDepotTime } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import type { VideoRequest } from '../requests/videoOrders.ts';
import { type ClipMark, marksOf } from '../store/clipIndex.ts';
import { useVideo } from '../useVideo.ts';
import './MarkList.css';

/** As much as a line of the list shows at once, twice. */
const LONGEST_NOTE = 120;

/** The marks of an order: where they are, what they say, and another one here. */
export function MarkList({
  marks,
  onMark,
  onShow,
}: {
  marks: Marks;
  /** Marks the moment that is shown. */
  onMark: () => void;
  onShow: (mark: ClipMark) => void;
}) {
  const t = useT();
  const time = useDepotTime();
  const { list } = marks;
  return (
    <DialogTrigger>
      <AriaButton className="icon-button icon-button--normal mark-list__button" aria-label={t('marks.open')}>
        <Icon of={Flag} />
        {list.length > 0 && <span className="mark-list__count">{list.length}</span>}
      </AriaButton>
      <Popover className="popover" offset={4} placement="top end">
        <Dialog className="mark-list" aria-label={t('marks.title')}>
          {list.length === 0 ? (
            <p className="quiet">{t('marks.empty')}</p>
          ) : (
            <ul>
              {list.map((mark) => (
                <li key={mark.at} className="mark-list__row">
                  <Button kind="quiet" size="small" onPress={() => onShow(mark)}>
                    {time.clock(mark.at)}.{Math.floor((mark.at % 1_000) / 100)}
                  </Button>
                  <Note mark={mark} onWrite={(note) => marks.write(mark, note)} />
                  <IconButton
                    icon={X}
                    size="small"
                    label={t('marks.remove')}
                    onPress={() => marks.remove(mark)}
                  />
                </li>
              ))}
            </ul>
          )}
          <Button size="small" icon={Flag} keycap="M" onPress={onMark}>
            {t('marks.add')}
          </Button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** Written when it is left or Enter is pressed: not with each letter. */
function Note({ mark, onWrite }: { mark: ClipMark; onWrite: (note: string) => void }) {
  const t = useT();
  const time = useDepotTime();
  const [text, setText] = useState(mark.note);
  const write = () => {
    if (text.trim() !== mark.note) onWrite(text.trim());
  };
  return (
    <TextField
      className="field field--small mark-list__note"
      aria-label={t('marks.note', { time: time.clock(mark.at) })}
      value={text}
      onChange={setText}
      maxLength={LONGEST_NOTE}
      onBlur={write}
      onKeyDown={(event) => {
        if (event.key === 'Enter') write();
        else {
          // Escape closes the list, and a field that is taken away is not left.
          if (event.key === 'Escape') write();
          event.continuePropagation();
        }
      }}
    >
      <Input className="field__input" placeholder={t('marks.note_hint')} />
    </TextField>
  );
}

/** Nearer than this is the same moment, milliseconds. */
const SAME_MS = 250;

/** The moments of an order that this operator marked; they are kept with its clips on this computer. */
export function useMarks(order: VideoRequest) {
  const { clips } = useVideo();
  const cached = useStore(clips.store, (state) => state.clips);
  const ids = useMemo(() => order.tasks.map((it) => it.task_id), [order]);
  const list = useMemo(() => marksOf(ids.map((id) => cached.get(id))), [ids, cached]);
  const put = (at: number, note: string | null) => void clips.mark(ids, at, note);
  return {
    list,
    /** Puts one at a moment, milliseconds since 1970; takes away the one that is there. */
    toggle(at: number) {
      const there = list.find((it) => Math.abs(it.at - at) < SAME_MS);
      if (there === undefined) put(Math.round(at), '');
      else put(there.at, null);
    },
    write: ({ at }: ClipMark, note: string) => put(at, note),
    remove: ({ at }: ClipMark) => put(at, null),
  };
}

type Marks = ReturnType<typeof useMarks>;
