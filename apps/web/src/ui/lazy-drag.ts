import type * as treeDrag from './tree-drag.ts'

type Code = typeof treeDrag

const coming = Promise.withResolvers<Code>()

/** What makes rows of a tree movable, once it was asked for: nobody drags in the page's first moments. */
export const dragCode: Promise<Code> = coming.promise

/** Fetches it: when something comes near a tree, or the page is at rest. Where it cannot be fetched, the next one tries again. */
export async function prefetchDrag(): Promise<void> {
  const code = await import('./tree-drag.ts').catch(() => null)
  if (code) coming.resolve(code)
}
