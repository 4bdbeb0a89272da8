// Loaded before Directus: the script engine of its flows is native code, which is not built without install scripts,
// and the measured calls use no such scripts.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'isolated-vm'
      ? { url: new URL('no-sandbox.cjs', import.meta.url).href, shortCircuit: true, format: 'commonjs' }
      : next(specifier, context),
})
