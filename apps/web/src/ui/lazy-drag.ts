import type * as treeDrag from './tree-drag.ts'

type Code = typeof treeDrag

const coming = Promise.withResolvers<Code>()

/** Drag and drop code of tree rows, loaded on demand because it is not needed at first paint. */
export const dragCode: Promise<Code> = coming.promise

/** Loads the code when a drag approaches a tree or the page is idle; after a failure the next call tries again. */
export async function prefetchDrag(): Promise<void> {
  const code = await import('./tree-drag.ts').catch(() => null)
  if (code) coming.resolve(code)
}
