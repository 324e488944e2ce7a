import { Circle, Pentagon, Spline, X } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import type { Geofence } from '../../server/contract/geofences.ts';
import { isProblem } from '../api/errors.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { distanceText, numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import type { FenceEdit } from '../live/liveView.ts';
import { drawnFields } from '../live/mapGeofences.ts';
import type { DrawnShape, Measure } from '../map/drawing/drawnShape.ts';
import { Button } from '../ui/Button.tsx';
import { faultsOf, sentenceOf, type Faults } from '../ui/formFaults.ts';
import { Icon } from '../ui/Icon.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { endDrawing, startDrawing } from './drawingActions.ts';
import './GeofencePanel.css';

const SHAPES = [
  { shape: 'polygon', icon: Pentagon },
  { shape: 'circle', icon: Circle },
  { shape: 'line', icon: Spline },
] as const;

/** Beside the map while a geofence is drawn or changed: its shape, name and limits. */
export function GeofencePanel({ edit }: { edit: FenceEdit }) {
  const desk = useDesk();
  const say = useText();
  const fence = useStore(desk.geofences.store, (state) =>
    edit.kind === 'change' ? (state.byId.get(edit.geozoneId) ?? null) : null,
  );
  // What the change was made from: a newer state of the stream must not be overwritten unseen.
  const [base] = useState<Geofence | null>(fence);
  const [name, setName] = useState(base?.name ?? '');
  const [limit, setLimit] = useState(base?.speed_limit_kmh?.toString() ?? '');
  const [hysteresis, setHysteresis] = useState((base?.hysteresis_m ?? 20).toString());
  const [faults, setFaults] = useState<Faults>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const shape = edit.kind === 'new' ? edit.shape : (base?.shape ?? 'polygon');

  const fields = () => ({
    name: name.trim(),
    speed_limit_kmh: limit.trim() === '' ? null : Number(limit.replace(',', '.')),
    hysteresis_m: Number(hysteresis.replace(',', '.')),
  });

  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setSentence(null);
    setFaults({});
    try {
      await act();
      endDrawing(desk);
    } catch (error) {
      setFaults(faultsOf(error));
      setSentence(
        sentenceOf(error, say, {
          in_use: isProblem(error) ? say('fence.in_use', { detail: error.problem.detail }) : '',
          version_conflict: say('fence.conflict'),
        }),
      );
    } finally {
      setBusy(false);
    }
  };

  const save = () => {
    const given = fields();
    if (given.speed_limit_kmh !== null && !Number.isFinite(given.speed_limit_kmh)) {
      setFaults({ speed_limit_kmh: say('form.not_a_number') });
      return;
    }
    if (!Number.isFinite(given.hysteresis_m)) {
      setFaults({ hysteresis_m: say('form.not_a_number') });
      return;
    }
    const drawn = edit.drawn;
    if (base !== null) {
      void attempt(() =>
        desk.geofenceActions.change(base, { ...given, ...(drawn === null ? {} : drawnFields(drawn)) }),
      );
    } else if (drawn !== null) {
      void attempt(() => desk.geofenceActions.create({ ...given, ...drawnFields(drawn) }));
    }
  };

  const saveCopy = () => {
    if (base === null) return;
    const shapeFields =
      edit.drawn === null
        ? { shape: base.shape, geometry: base.geometry, radius_m: base.radius_m, width_m: base.width_m }
        : drawnFields(edit.drawn);
    void attempt(() =>
      desk.geofenceActions.create({
        ...shapeFields,
        ...fields(),
        name: say('fence.copy_of', { name: name.trim() }),
        color: base.color,
        schedule: base.schedule,
        group_ids: base.group_ids,
        min_inside_s: base.min_inside_s,
        min_outside_s: base.min_outside_s,
      }),
    );
  };

  return (
    <section className="pane geofence-panel" aria-label={say('fence.title')} data-pane tabIndex={-1}>
      <div className="pane__head">
        <h2 className="fill ellipsis">
          {base === null ? say('fence.new') : say('fence.edit', { name: base.name })}
        </h2>
        <IconButton
          icon={X}
          size="small"
          label={say('ui.cancel')}
          keycap="Esc"
          onPress={() => endDrawing(desk)}
        />
      </div>
      <form
        className="geofence-panel__body"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          save();
        }}
      >
        {edit.kind === 'new' && (
          <div className="segments" role="group" aria-label={say('fence.shape')}>
            {SHAPES.map((one) => (
              <button
                key={one.shape}
                type="button"
                className="segments__one"
                aria-pressed={shape === one.shape}
                onClick={() => startDrawing(desk, one.shape)}
              >
                <Icon of={one.icon} />
                {say(`fence.shape.${one.shape}`)}
              </button>
            ))}
          </div>
        )}
        <p className="quiet geofence-panel__how">
          {edit.sizes !== null
            ? measureText(edit.sizes, say)
            : edit.kind === 'new'
              ? say(`fence.how.${shape}`)
              : edit.drawn === null
                ? say('fence.how.parts')
                : say('fence.how.change')}
        </p>
        <SizeField drawn={edit.drawn} />
        <TextField
          label={say('fence.name')}
          value={name}
          onChange={setName}
          fault={faults['name'] ?? null}
          required
          maxLength={120}
        />
        <TextField
          label={say('fence.limit')}
          hint={say('fence.limit_hint')}
          numeric
          value={limit}
          onChange={setLimit}
          fault={faults['speed_limit_kmh'] ?? null}
          maxLength={5}
        />
        <TextField
          label={say('fence.hysteresis')}
          hint={say('fence.hysteresis_hint')}
          numeric
          value={hysteresis}
          onChange={setHysteresis}
          fault={faults['hysteresis_m'] ?? null}
          maxLength={6}
        />
        {fence !== null && base !== null && fence.version > base.version && sentence === null && (
          <p className="form-sentence" role="status">
            {say('fence.changed_meanwhile')}
          </p>
        )}
        {sentence !== null && (
          <p className="form-sentence" role="alert">
            {sentence}
          </p>
        )}
        <div className="geofence-panel__actions">
          <Button
            kind="primary"
            submits
            disabled={busy || name.trim() === '' || (base === null && edit.drawn === null)}
          >
            {base === null ? say('fence.save_new') : say('ui.save')}
          </Button>
          {base !== null && (
            <>
              {sentence !== null && (
                <Button disabled={busy} onPress={saveCopy}>
                  {say('fence.save_copy')}
                </Button>
              )}
              <DeleteButton
                busy={busy}
                onDelete={() => void attempt(() => desk.geofenceActions.remove(base))}
              />
            </>
          )}
        </div>
      </form>
    </section>
  );
}

/** Asks once more in its own place: no dialog over the map. */
function DeleteButton({ busy, onDelete }: { busy: boolean; onDelete: () => void }) {
  const say = useText();
  const [asked, setAsked] = useState(false);
  return asked ? (
    <>
      <Button disabled={busy} onPress={onDelete}>
        {say('fence.delete_really')}
      </Button>
      <Button kind="quiet" onPress={() => setAsked(false)}>
        {say('fence.keep')}
      </Button>
    </>
  ) : (
    <Button disabled={busy} onPress={() => setAsked(true)}>
      {say('fence.delete')}
    </Button>
  );
}

/** A circle's radius and a line's width can be typed. */
function SizeField({ drawn }: { drawn: DrawnShape | null }) {
  const desk = useDesk();
  const say = useText();
  const size =
    drawn === null || drawn.shape === 'polygon'
      ? null
      : drawn.shape === 'circle'
        ? drawn.radius_m
        : drawn.width_m;
  const [typed, setTyped] = useState<string | null>(null);
  if (size === null) return null;
  return (
    <TextField
      label={drawn?.shape === 'circle' ? say('fence.radius') : say('fence.width')}
      numeric
      value={typed ?? Math.round(size).toString()}
      onChange={(text) => {
        setTyped(text);
        const sizeM = Number(text.replace(',', '.'));
        if (Number.isFinite(sizeM) && sizeM >= 1) desk.map.current()?.drawing.setSizeM(sizeM);
      }}
      maxLength={7}
    />
  );
}

function measureText(sizes: Measure, say: ReturnType<typeof useText>): string {
  const parts: string[] = [];
  if (sizes.areaM2 !== null) {
    const area = sizes.areaM2;
    parts.push(area < 100_000 ? `${numberText(area)} m²` : `${numberText(area / 1e6, 2)} km²`);
  }
  if (sizes.radiusM !== null) parts.push(say('fence.radius_is', { radius: distanceText(sizes.radiusM) }));
  if (sizes.lengthM !== null) parts.push(distanceText(sizes.lengthM));
  if (sizes.points > 1) parts.push(say('fence.points', { count: sizes.points }));
  return parts.join(' · ');
}
