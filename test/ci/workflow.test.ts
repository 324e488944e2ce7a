import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, '.github', 'workflows');

const step = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});
const job = z.looseObject({
  if: z.string().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  'timeout-minutes': z.number(),
  steps: z.array(step),
});
const workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/** It imports JSON without the attribute that Node wants. */
async function loadParser() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
  });
  try {
    return await import('@actions/workflow-parser');
  } finally {
    hooks.deregister();
  }
}

describe.each(readdirSync(FOLDER))('the workflow %s', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const { on, permissions, jobs } = workflow.parse(parse(text));
  const steps = Object.values(jobs).flatMap((it) => it.steps);

  it('the workflow is valid by the parser of GitHub Actions', async () => {
    const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await loadParser();
    const { context, value } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map((it) => it.message)).toEqual([]);
    if (value === undefined) throw new Error('nothing was parsed');
    const { errors, jobs: converted } = await convertWorkflowTemplate(context, value);
    expect(errors ?? []).toEqual([]);
    expect(converted.map(({ id }) => id.value)).toEqual(['checks', 'desktop', 'installers', 'release']);
  });

  it('the workflow pins each action by its commit, and says which version that is', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+[/][\w-]+@[0-9a-f]{40} # v\d+[.]\d+[.]\d+$/);
    const versions = Map.groupBy(used, (action) => action?.split('@')[0]);
    for (const [action, each] of versions) expect(new Set(each).size, action).toBe(1);
  });

  it('the workflow may read, and write nothing but the release of a tag', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const writers = Object.entries(jobs).filter(([, it]) => it.permissions !== undefined);
    expect(writers.map(([name]) => name)).toEqual(['release']);
    for (const [, it] of writers) {
      expect(it.permissions).toEqual({ contents: 'write' });
      expect(it.if).toBe("startsWith(github.ref, 'refs/tags/v')");
    }
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@') === true);
    for (const { with: options } of checkouts) expect(options).toEqual({ 'persist-credentials': false });
  });

  it('the workflow shows a secret to tags alone, never to a pull request or a program of others', () => {
    expect(Object.keys(on).sort()).toEqual(['pull_request', 'push']);
    const withSecrets = steps.filter((it) => JSON.stringify(it).includes('secrets.'));
    expect(withSecrets).not.toEqual([]);
    for (const { if: condition, env, ...rest } of withSecrets) {
      expect(condition).toBe("startsWith(github.ref, 'refs/tags/')");
      expect(Object.keys(env ?? {})).not.toEqual([]);
      expect(JSON.stringify(rest)).not.toMatch(/secrets[.]|"uses"/);
    }
    expect(text.replaceAll(/^ *\w+: [$][{][{].*secrets[.]\w+.*$/gm, '')).not.toContain('secrets.');
  });

  it('the workflow puts nothing into a shell that the author of a change may choose', () => {
    const placed = steps.flatMap(({ run = '' }) => [...run.matchAll(/[$][{][{](.*?)[}][}]/gs)]);
    for (const [, expression = ''] of placed) expect(expression.trim()).toMatch(/^runner[.]os /);
  });

  it('the workflow runs the specs in the real program on each system before it drafts a release with what was built', () => {
    const { desktop, release } = jobs;
    const { matrix } = z
      .looseObject({ matrix: z.object({ os: z.array(z.string()) }) })
      .parse(desktop?.['strategy']);
    expect(matrix.os.map((it) => it.split('-')[0])).toEqual(['ubuntu', 'windows', 'macos']);
    const specs = desktop?.steps.filter(({ run }) => run?.includes('--project desktop') === true) ?? [];
    expect(specs.map(({ if: when, run }) => [when, run?.startsWith('xvfb-run ')])).toEqual([
      ["runner.os == 'Linux'", true],
      ["runner.os != 'Linux'", false],
    ]);
    expect(release?.['needs']).toEqual(['checks', 'desktop', 'installers']);
    expect(release?.steps.at(-1)?.run).toMatch(/^gh release create .* --draft .* release[/][*]$/);
  });

  it('the workflow runs scripts and files that are there, and each of its jobs ends', () => {
    const run = steps.map((it) => it.run ?? '').join('\n');
    const named = [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named).toContain('installers');
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    for (const [, path = ''] of run.matchAll(/node ([\w./-]+[.]m?js)/g))
      expect(readFileSync(join(ROOT, path), 'utf8')).not.toBe('');
    for (const it of Object.values(jobs)) expect(it['timeout-minutes']).toBeLessThanOrEqual(60);
  });
});
