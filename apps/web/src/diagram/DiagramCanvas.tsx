import { useEffect, useEffectEvent, useRef } from 'react'
import { DiagramEngine } from './canvas/engine.ts'
import styles from './Diagram.module.css'
import type { Camera } from './diagram.ts'
import type { DiagramStore } from './diagram-store.ts'

/** Cards that were looked for are shown with their attributes. */
const legibleZoom = 0.8

function lookAt(engine: DiagramEngine, cards: readonly number[]): void {
  const [only] = cards
  const box = only !== undefined && cards.length === 1 ? engine.boxOf(only) : undefined
  if (!box) return engine.fit(cards)
  const zoom = Math.max(engine.camera.zoom, legibleZoom)
  engine.look({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, zoom })
}

type DiagramCanvasProps = {
  store: DiagramStore
  /** The camera of a view that was looked at before. */
  cameraOf: (view: string) => Camera | undefined
  onRested: (view: string, camera: Camera) => void
  onEngine: (engine: DiagramEngine | null) => void
}

/** The picture of a diagram. Draws by the store's state without React. */
export function DiagramCanvas({ store, cameraOf, onRested, onEngine }: DiagramCanvasProps) {
  const host = useRef<HTMLDivElement>(null)
  const rested = useEffectEvent((camera: Camera) => onRested(store.get().session.stored.uid, camera))
  const mounted = useEffectEvent(onEngine)
  const look = useEffectEvent((engine: DiagramEngine) => {
    const camera = cameraOf(store.get().session.stored.uid)
    if (camera) engine.look(camera)
    else engine.fit()
  })
  useEffect(() => {
    if (!host.current) return
    const engine = new DiagramEngine(host.current, { needsRows: cards => store.needRows(cards), rested })
    engine.show(store.get().picture)
    look(engine)
    const stop = store.state.subscribe((state, before) => {
      if (state.picture !== before.picture) {
        engine.show(state.picture)
        engine.keepWhole()
      }
      if (state.shows !== before.shows) look(engine)
      else if (state.looked !== before.looked) lookAt(engine, state.looked)
    })
    mounted(engine)
    return () => {
      mounted(null)
      stop()
      engine.dispose()
    }
  }, [store])
  return <div ref={host} className={styles['canvas']} />
}
