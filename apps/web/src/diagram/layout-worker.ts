import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import type { LayoutInput } from '@cadmus/diagram/layout/component'

// One scene for each worker: its client ends it to cancel.
self.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  const places = layoutByAreas(data)
  self.postMessage(places, { transfer: [places.x.buffer, places.y.buffer] })
})
