import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForTextSelection } from '@atlaskit/pragmatic-drag-and-drop/adapter/drop-target-for-text-selection'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { dropTargetForExternal } from '@atlaskit/pragmatic-drag-and-drop/external/adapter'

export type TreeDrag = {
  id: string
  movable: boolean
  target: boolean
  /** true: may be dropped; text: the reason why not. An empty source: a text or a file. */
  judge: (source: string) => true | string
  onOver: (over: true | string | null) => void
  onDrop: (source: string) => void
}

/** Makes a tree row draggable and a drop target; returns a cleanup function. */
export function attachTreeDrag(element: HTMLElement, drag: TreeDrag): () => void {
  const { id, onOver } = drag
  const leave = () => onOver(null)
  const foreign = {
    onDragEnter: () => onOver(drag.judge('')),
    onDragLeave: leave,
    onDrop: () => {
      leave()
      drag.onDrop('')
    },
  }
  const parts: (() => void)[] = []
  if (drag.movable) parts.push(draggable({ element, getInitialData: () => ({ kind: 'node', id }) }))
  if (drag.target) {
    parts.push(
      dropTargetForElements({
        element,
        onDragEnter: ({ source }) => onOver(drag.judge(sourceId(source.data))),
        onDragLeave: leave,
        onDrop: ({ source }) => {
          leave()
          drag.onDrop(sourceId(source.data))
        },
      }),
      dropTargetForExternal({ element, ...foreign }),
      // Selected text of the page itself needs a separate handler.
      dropTargetForTextSelection({ element, ...foreign }),
    )
  }
  return combine(...parts)
}

function sourceId(data: Record<string | symbol, unknown>): string {
  return data['kind'] === 'node' && typeof data['id'] === 'string' ? data['id'] : ''
}
