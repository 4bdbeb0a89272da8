/** Resolves when the browser has nothing else to do: what a person does now comes first. Where it cannot tell, a little later. */
export function atRest(): Promise<void> {
  return new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve())
    else setTimeout(resolve, 200)
  })
}
