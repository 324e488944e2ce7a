import {
  evidenceManifest,
  manifestName,
  sumsName,
  type EvidenceFile,
  type EvidenceManifest,
} from '../../contract/evidence.ts';
import type { FoundEvidence, FoundFile } from './readEvidence.ts';

export interface Finding {
  kind: 'differs' | 'missing' | 'extra';
  name: string;
  detail: string | null;
}

export interface EvidenceCheck {
  /** Null when there is none that can be read. */
  manifest: EvidenceManifest | null;
  /** The SHA-256 of the manifest as it stands there. */
  manifestSum: string | null;
  /** How many files the manifest names. */
  checked: number;
  /** In the order of the manifest, then of the archive. */
  findings: Finding[];
}

/** Compares what an archive holds with what its manifest and its checksums say. */
export function checkEvidence(found: FoundEvidence): EvidenceCheck {
  const manifest = parseManifest(found.manifest);
  const listed = manifest?.files ?? [];
  const byName = new Map(found.files.map((file) => [file.name, file]));
  const expected = new Set([...listed.map((it) => it.name), manifestName, sumsName]);
  const findings = [
    ...(manifest === null ? [lacksManifest(byName)] : []),
    ...listed.flatMap((file) => compare(file, byName.get(file.name))),
    ...(manifest === null ? [] : fetchedOtherwise(manifest)),
    ...sumsFaults(found, byName, listed),
    ...(manifest === null ? [] : found.files.filter((it) => !expected.has(it.name))).map(({ name }) =>
      finding('extra', name, 'the manifest does not name it'),
    ),
    ...twice(found.files).map((name) => finding('extra', name, 'the archive holds it more than once')),
  ];
  return {
    manifest,
    manifestSum: byName.get(manifestName)?.sha256 ?? null,
    checked: listed.length,
    findings,
  };
}

function parseManifest(text: string | null): EvidenceManifest | null {
  if (text === null) return null;
  try {
    return evidenceManifest.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function lacksManifest(byName: ReadonlyMap<string, FoundFile>): Finding {
  return byName.has(manifestName)
    ? finding('differs', manifestName, 'it is no manifest of an evidence export')
    : finding('missing', manifestName, 'without it nothing can be checked');
}

function compare(file: EvidenceFile, found: FoundFile | undefined): Finding[] {
  if (found === undefined) return [finding('missing', file.name, null)];
  if (found.sha256 === null) return [finding('differs', file.name, 'its bytes cannot be read')];
  if (found.size_bytes !== file.size_bytes) {
    return [finding('differs', file.name, `${found.size_bytes} bytes instead of ${file.size_bytes}`)];
  }
  if (found.sha256 === file.sha256) return [];
  return [finding('differs', file.name, `SHA-256 ${found.sha256} instead of ${file.sha256}`)];
}

/** A clip that was not, when it was exported, what had been fetched from the terminal. */
function fetchedOtherwise({ clips, files }: EvidenceManifest): Finding[] {
  return clips.flatMap(({ file, sha256_when_fetched }) => {
    const exported = files.find((it) => it.name === file);
    if (exported === undefined)
      return [finding('missing', file, 'the manifest has no checksum of this clip')];
    if (exported.sha256 === sha256_when_fetched) return [];
    return [finding('differs', file, 'it was exported other than it had been fetched from the terminal')];
  });
}

function sumsFaults(
  { sums }: FoundEvidence,
  byName: ReadonlyMap<string, FoundFile>,
  listed: readonly EvidenceFile[],
): Finding[] {
  if (sums === null) return [finding('missing', sumsName, null)];
  const stated = parseSums(sums);
  const ofManifest = byName.get(manifestName);
  const isOther =
    listed.some((it) => stated.get(it.name) !== it.sha256) ||
    stated.size !== listed.length + 1 ||
    !stated.has(manifestName);
  const isManifestOther = ofManifest !== undefined && stated.get(manifestName) !== ofManifest.sha256;
  return [
    ...(isManifestOther ? [finding('differs', manifestName, `not as ${sumsName} says`)] : []),
    ...(isOther && listed.length > 0 ? [finding('differs', sumsName, `not as ${manifestName} says`)] : []),
  ];
}

/** Lines of `sha256sum`, of texts and of binaries; others are left out. */
function parseSums(text: string): Map<string, string> {
  const sums = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum !== undefined && name !== undefined) sums.set(name, sum);
  }
  return sums;
}

function twice(files: readonly FoundFile[]): string[] {
  const names = files.map((it) => it.name);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

function finding(kind: Finding['kind'], name: string, detail: string | null): Finding {
  return { kind, name, detail };
}
