/**
 * Resolves when the browser is idle, so that user actions come first; after a short delay where idle callbacks are
 * not supported.
 */
export function atRest(): Promise<void> {
  return new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 200)
  })
}
