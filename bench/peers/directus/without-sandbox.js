// Loaded before Directus: the engine for scripts in its flows is native code that is not built where install scripts do not run, and nothing
// that is measured here has such scripts.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'isolated-vm'
      ? { url: new URL('no-sandbox.cjs', import.meta.url).href, shortCircuit: true, format: 'commonjs' }
      : next(specifier, context),
})
