import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { diagramRows, type NeighbourhoodAnswer, neighbourhoodQuery } from '../api/diagram.ts'
import { messageOf } from '../api/error.ts'
import { currentScope, useScope } from '../api/scope.ts'
import { setSidePanel, sidePanel, type Steps } from '../commands/side-panel.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { notify } from '../ui/notices.ts'
import { Segments } from '../ui/Segments.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { DiagramFrame } from './DiagramFrame.tsx'
import { DiagramStore } from './diagram-store.ts'
import { layout } from './layout.ts'
import { useUnsaved } from './manifest-diagram.ts'
import { addRelationship } from './relate.ts'
import styles from './Hands.module.css'

const { around: texts } = handTexts
const options = [
  { value: '1', label: '1' },
  { value: '2', label: '2' },
  { value: '3', label: '3' },
] as const

/** The entities around one: what it refers to and what refers to it, up to three steps away. */
export function EntityDiagram({ entity }: { entity: EntityAnswer }) {
  const steps = useStore(sidePanel, panel => panel.steps)
  const scope = useScope()
  const query = useQuery(neighbourhoodQuery(entity.id, steps, scope))
  const { data, error, refetch } = query
  if (error && !data) return <ErrorState message={messageOf(error, viewTexts.notRead)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={8} />
  return <Around key={`${entity.id} ${steps}`} entity={entity} steps={steps} data={data} />
}

function Around({ entity, steps, data }: { entity: EntityAnswer; steps: Steps; data: NeighbourhoodAnswer }) {
  // A later answer is passed to the same store.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const store = useMemo(() => aroundEntity(entity, data), [])
  const unsaved = useUnsaved()
  useEffect(() => {
    store.setData(data)
    store.setUnsaved(unsaved)
    store.follow(undefined)
  }, [store, data, unsaved])
  const more = data.more.reduce((sum, count) => sum + count, 0)
  return (
    <DiagramFrame
      label={entity.name}
      store={store}
      manifest={null}
      locked={null}
      cameraOf={() => undefined}
      onRested={() => undefined}
      views={
        <>
          <Segments
            label={texts.steps}
            options={options}
            value={`${steps}`}
            onChange={value => setSidePanel({ steps: value === '3' ? 3 : value === '2' ? 2 : 1 })}
          />
          {more > 0 && <span className={styles['more']}>{texts.more(more)}</span>}
          <IconButton label={texts.close} icon={X} onClick={() => setSidePanel({ entity: null })} />
        </>
      }
    />
  )
}

function aroundEntity({ id, name }: EntityAnswer, data: NeighbourhoodAnswer): DiagramStore {
  const scope = currentScope()
  const store = new DiagramStore({
    data,
    // The view is not stored.
    send: () => Promise.reject(new Error(`${name} has no stored views.`)),
    readRows: ids => diagramRows(ids, { scope }),
    layout,
    storeFirst: undefined,
    relate: addRelationship,
    addEntity(onClosed) {
      // What is shown are linked entities, so that a new one would not be among them.
      notify('info', texts.noNewEntity)
      onClosed()
    },
  })
  const card = data.entities.ids.indexOf(id)
  store.focus(card)
  store.choose([card], 'replace')
  return store
}
