import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEvidence } from '../../../../server/commands/verify/checkEvidence.ts';
import type { FoundEvidence } from '../../../../server/commands/verify/readEvidence.ts';
import type { EvidenceManifest } from '../../../../server/contract/evidence.ts';

const sum = (text: string) => createHash('sha256').update(text).digest('hex');
const files = new Map([
  ['clips/a.mp4', 'moving pictures'],
  ['summary.html', '<p>'],
]);
const listed = [...files].map(([name, text]) => ({ name, size_bytes: text.length, sha256: sum(text) }));
const id = '20000000-0000-4000-8000-000000000000';
const time = '2026-11-21T12:00:00.000Z';
const manifest: EvidenceManifest = {
  format: 'fleetdeck-evidence',
  format_version: 1,
  app_version: '1',
  exported_at: time,
  exported_by: { user_id: id, login: 'anna', name: null },
  depot: { name: 'Depot', timezone: 'UTC' },
  note: null,
  left_out: [],
  vehicles: [],
  clips: [
    {
      ...{
        file: 'clips/a.mp4',
        task_id: id,
        vehicle_id: id,
        channel: 1,
        channel_name: null,
        from: time,
        to: time,
      },
      ...{ fetched_at: time, duration_s: 1, width: 2, height: 2 },
      sha256_when_fetched: sum('moving pictures'),
    },
  ],
  files: listed,
};

/** An archive that holds these files, with this manifest, and sums of both as they should be. */
function archive(texts: ReadonlyMap<string, string>, said: EvidenceManifest = manifest): FoundEvidence {
  const text = JSON.stringify(said);
  const sums = [...said.files, { name: 'manifest.json', sha256: sum(text) }]
    .map((it) => `${it.sha256} *${it.name}\n`)
    .join('');
  const all = [...texts, ['manifest.json', text] as const, ['manifest.sha256', sums] as const];
  return {
    files: all.map(([name, it]) => ({ name, size_bytes: it.length, sha256: sum(it) })),
    manifest: text,
    sums,
  };
}

const published = (found: FoundEvidence) =>
  checkEvidence(found).findings.map(({ kind, name }) => `${kind} ${name}`);

describe('an archive', () => {
  it('an archive that is whole has no findings', () => {
    expect(checkEvidence(archive(files))).toMatchObject({ checked: 2, findings: [] });
  });

  it('an archive has each file named that is missing, differs or is too many', () => {
    expect(published(archive(new Map([['summary.html', '<p>']])))).toEqual(['missing clips/a.mp4']);
    expect(published(archive(new Map([...files, ['clips/b.mp4', '']])))).toEqual(['extra clips/b.mp4']);
    expect(published(archive(new Map([...files, ['summary.html', '<q>']])))).toEqual([
      'differs summary.html',
    ]);
    const whole = archive(files);
    const unreadable = whole.files.map((it) => (it.name === 'clips/a.mp4' ? { ...it, sha256: null } : it));
    expect(published({ ...whole, files: unreadable })).toEqual(['differs clips/a.mp4']);
    expect(published({ ...whole, files: [...whole.files, ...whole.files.slice(0, 1)] })).toEqual([
      'extra clips/a.mp4',
    ]);
  });

  it('an archive whose manifest or checksums were changed alone does not pass', () => {
    const changed = { ...manifest, note: 'another note' };
    const other = archive(files, changed);
    expect(published({ ...other, sums: archive(files).sums })).toEqual(['differs manifest.json']);
    const whole = archive(files);
    expect(
      published({ ...whole, sums: whole.sums?.replace(/^./, (it) => (it === '0' ? '1' : '0')) ?? null }),
    ).toEqual(['differs manifest.sha256']);
    expect(published({ ...whole, sums: null })).toEqual(['missing manifest.sha256']);
    expect(published({ ...whole, manifest: '{}' })).toContain('differs manifest.json');
    const none = whole.files.filter((it) => it.name !== 'manifest.json');
    expect(published({ ...whole, files: none, manifest: null })).toContain('missing manifest.json');
  });

  it('an archive with a clip that was exported otherwise than it was fetched says so', () => {
    const clips = manifest.clips.map((it) => ({ ...it, sha256_when_fetched: sum('what the camera sent') }));
    expect(published(archive(files, { ...manifest, clips }))).toEqual(['differs clips/a.mp4']);
    expect(published(archive(new Map(), { ...manifest, files: [] }))).toEqual(['missing clips/a.mp4']);
  });

  it('an archive with any content in the place of the manifest is reported without a crash', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (text, sums) => {
        expect(checkEvidence({ files: [], manifest: text, sums }).findings).not.toEqual([]);
      }),
    );
  });
});
