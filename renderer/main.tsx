import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import './theme/fonts.ts';
import './theme/tokens.css';
import './base.css';
import './ui/form.css';
import { App } from './App.tsx';
import { createRootContext } from './createRootContext.ts';
import { createBrowserPlatform } from './platform/browser.ts';
import { createDesktopPlatform, findDesktopBridge } from './platform/desktop.ts';

// The content security policy allows no code made at run time, which zod would otherwise make.
z.config({ jitless: true });

const element = document.getElementById('console');
if (element === null) throw new Error('the page has no place for the console');
const bridge = findDesktopBridge();
const console = createRootContext({
  platform: bridge === null ? createBrowserPlatform() : createDesktopPlatform(bridge),
});
console.start();
createRoot(element).render(<App console={console} />);
