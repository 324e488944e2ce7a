/** Redraws resources/icons from the shapes: `node electron/icon/drawIcons.ts`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { iconFiles } from './iconFiles.ts';

const FOLDER = fileURLToPath(new URL('../../resources/icons/', import.meta.url));

mkdirSync(FOLDER, { recursive: true });
for (const [name, content] of Object.entries(iconFiles())) writeFileSync(join(FOLDER, name), content);
