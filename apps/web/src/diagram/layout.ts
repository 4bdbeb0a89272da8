import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import type { LayoutInput } from '@cadmus/diagram/layout/component'
import type { Places, Scene } from '@cadmus/diagram/scene'

/** Below this many cards a layout is faster than the start of a worker. */
const mostAtOnce = 100

/** Places for all cards of a scene, computed beside the page; rejects with the signal's reason once it is aborted. */
export async function layout(scene: Scene, signal: AbortSignal): Promise<Places> {
  signal.throwIfAborted()
  const input = inputOf(scene)
  return scene.count <= mostAtOnce ? layoutByAreas(input) : layoutInWorker(input, signal)
}

/** Only what a layout needs: names would be copied for nothing. */
function inputOf({ count, areas, rowCounts, links }: Scene): LayoutInput {
  const { from, to, row } = links
  return { count, areas, rowCounts, links: { count: links.count, from, to, row } }
}

function layoutInWorker(input: LayoutInput, signal: AbortSignal): Promise<Places> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<Places>()
  const cancel = () => reject(signal.reason)
  signal.addEventListener('abort', cancel)
  worker.addEventListener('message', ({ data }: MessageEvent<Places>) => resolve(data))
  worker.addEventListener('error', event => reject(new Error(event.message || 'The layout could not be started.')))
  worker.postMessage(input)
  return promise.finally(() => {
    signal.removeEventListener('abort', cancel)
    worker.terminate()
  })
}
