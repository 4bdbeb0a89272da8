import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForTextSelection } from '@atlaskit/pragmatic-drag-and-drop/adapter/drop-target-for-text-selection'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { dropTargetForExternal } from '@atlaskit/pragmatic-drag-and-drop/external/adapter'

export type TreeDrag = {
  id: string
  movable: boolean
  target: boolean
  /** true: may be dropped; a sentence: why not. */
  judge: (source: string) => true | string
  onOver: (over: true | string | null) => void
  onDrop: (source: string) => void
  onForeign: () => void
}

/** Makes a row of a tree movable and a target; returns what takes that away again. */
export function attachTreeDrag(element: HTMLElement, drag: TreeDrag): () => void {
  const { id, onOver } = drag
  const leave = () => onOver(null)
  const foreign = {
    onDragEnter: () => onOver(true),
    onDragLeave: leave,
    onDrop: () => {
      leave()
      drag.onForeign()
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
      // Words of the page itself come another way than files and words from elsewhere.
      dropTargetForTextSelection({ element, ...foreign }),
    )
  }
  return combine(...parts)
}

function sourceId(data: Record<string | symbol, unknown>): string {
  return data['kind'] === 'node' && typeof data['id'] === 'string' ? data['id'] : ''
}
