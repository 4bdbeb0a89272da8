import { useEffect, useEffectEvent, useState, type RefObject } from 'react'
import { dropEntity, mayDrop, type Receiver } from '../../commands/entity-drop.ts'
import { attachTreeDrag } from '../../ui/tree-drag.ts'

/**
 * Makes the panel of a manifest a drop target like its node in the tree. null: nothing is dragged over it; true: may be
 * dropped; a text: the reason why not.
 */
export function useEntityDrop(ref: RefObject<HTMLElement | null>, receiver: Receiver): true | string | null {
  const [over, setOver] = useState<true | string | null>(null)
  const judge = useEffectEvent((source: string) => mayDrop(source, receiver))
  const drop = useEffectEvent((source: string) => void dropEntity(source, receiver))
  useEffect(() => {
    if (!ref.current) return
    return attachTreeDrag(ref.current, { id: '', movable: false, target: true, judge, onOver: setOver, onDrop: drop })
  }, [ref])
  return over
}
