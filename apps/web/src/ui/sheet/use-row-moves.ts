import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, useEffectEvent, useState } from 'react'

export type Edge = 'top' | 'bottom'

/** Makes a table row draggable, and rows of the same table droppable at its edges. */
export function useRowMoves(
  element: { readonly current: HTMLTableRowElement | null },
  { id, movable }: { id: string; movable: boolean },
  onDrop: (source: string, edge: Edge) => void,
) {
  const [edge, setEdge] = useState<Edge | null>(null)
  const [dragging, setDragging] = useState(false)
  const dropped = useEffectEvent(onDrop)

  useEffect(() => {
    const target = element.current
    if (!target || !movable) return
    const table = target.closest('table')
    return combine(
      draggable({
        element: target,
        getInitialData: () => ({ kind: 'row', id, table }),
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element: target,
        canDrop: ({ source }) => source.data['table'] === table && source.data['id'] !== id,
        getData: ({ input }) => attachClosestEdge({}, { element: target, input, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self }) => setEdge(vertical(extractClosestEdge(self.data))),
        onDragLeave: () => setEdge(null),
        onDrop: ({ source, self }) => {
          setEdge(null)
          const at = vertical(extractClosestEdge(self.data))
          if (at && typeof source.data['id'] === 'string') dropped(source.data['id'], at)
        },
      }),
    )
  }, [element, id, movable])

  return { edge, dragging }
}

function vertical(edge: string | null): Edge | null {
  return edge === 'top' || edge === 'bottom' ? edge : null
}
