import { manifestName } from '../../contract/evidence.ts';
import { readEvidence, UnreadableArchive } from './readEvidence.ts';
import { checkEvidence, type Finding } from './checkEvidence.ts';

const usage = 'fleetdeck verify FILE.zip   (checks an evidence export against its manifest)';

/**
 * Runs the command; answers its exit code: 0 when every file is as the manifest says, else 1.
 * @param say writes one line
 */
export async function runVerify(argv: readonly string[], say: (line: string) => void): Promise<number> {
  const [path] = argv;
  if (path === undefined || argv.length > 1 || path.startsWith('--')) {
    say(usage);
    return path === '--help' ? 0 : 1;
  }
  try {
    const { manifest, manifestSum, checked, findings } = checkEvidence(await readEvidence(path));
    if (manifest !== null) {
      const { depot, exported_at, exported_by, app_version } = manifest;
      say(
        `Evidence of ${depot.name}, exported ${exported_at} by ${exported_by.login}, Fleetdeck ${app_version}.`,
      );
    }
    for (const finding of findings) say(lineOf(finding));
    if (findings.length > 0) {
      say(
        findings.length === 1 ? '1 file is not as it was exported.' : `${findings.length} faults were found.`,
      );
      return 1;
    }
    say(`All ${checked} files are as the manifest says.`);
    say(
      `SHA-256 of ${manifestName}: ${manifestSum}. Only somebody who noted it at the export knows that the manifest itself is the same.`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof UnreadableArchive)) throw error;
    say(`verify: ${error.message}`);
    return 1;
  }
}

function lineOf({ kind, name, detail }: Finding): string {
  return `${kind.padEnd(8)} ${name}${detail === null ? '' : `: ${detail}`}`;
}
