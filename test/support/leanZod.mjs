// Zod's own index names a module for each language of its messages, which nobody reads: near half of what a worker loads.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === '../locales/index.js' ? '../locales/en.js' : specifier, context),
});
