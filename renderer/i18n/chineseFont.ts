import { fontFaces } from '../map/otherScripts.ts';
import { OTHER_SCRIPTS } from '../map/mapFonts.ts';

// The files that the labels of maps are drawn by: a browser fetches each when a letter of it is shown.
for (const face of fontFaces) {
  if (typeof face === 'string') continue;
  const unicodeRange = face['unicode-range']?.join(',');
  document.fonts.add(
    new FontFace(OTHER_SCRIPTS, `url(${JSON.stringify(face.url)})`, {
      ...(unicodeRange === undefined ? {} : { unicodeRange }),
    }),
  );
}
