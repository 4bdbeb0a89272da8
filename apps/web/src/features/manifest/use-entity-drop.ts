import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { messages } from '@cadmus/model/messages'
import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { messageOf } from '../../api/error.ts'
import { addEntities } from '../../api/manifests.ts'
import { notify } from '../../ui/Snackbar.tsx'

/** Accepts entities dropped from the tree and adds exclusive copies. True while an entity is over the panel. */
export function useEntityDrop(ref: RefObject<HTMLElement | null>, manifest: { id: number }, allowed: boolean): boolean {
  const [over, setOver] = useState(false)
  const add = useEffectEvent((entityId: number | null) => void dropEntity(manifest.id, entityId))

  useEffect(() => {
    const element = ref.current
    if (!element || !allowed) return
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data['kind'] === 'node',
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        add(entityOf(source.data['id']))
      },
    })
  }, [ref, allowed])

  return over
}

/** Parses the entity id of a tree node: ids end in 'entity:12'. */
function entityOf(nodeId: unknown): number | null {
  const match = typeof nodeId === 'string' ? /entity:(\d+)$/.exec(nodeId) : null
  return match ? Number(match[1]) : null
}

async function dropEntity(manifestId: number, entityId: number | null): Promise<void> {
  if (entityId === null) {
    notify('error', messages.failed.dropEntity)
    return
  }
  try {
    await addEntities(manifestId, [entityId])
    notify('success', messages.entityDropped)
  } catch (failure) {
    notify('error', messageOf(failure, messages.failed.addEntity))
  }
}
