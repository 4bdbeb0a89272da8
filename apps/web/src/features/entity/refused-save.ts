import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../api/error.ts'
import { placeWords } from '../../commands/entity-words.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'

/** Maximum number of problems reported per save. */
const maxReported = 5

type Row = { kind: Selection['kind']; uid: string; name: string; field: string }

/** Shows the row of the first problem, and returns the failure with the places of all problems added. */
export function showFirstProblem(id: number, failure: unknown, content: EntityContent): unknown {
  if (!(failure instanceof ApiError) || failure.errors.length === 0) return failure
  const rows = failure.errors.map(({ path }) => rowAt(path, content))
  if (rows.every(row => row === null)) return failure
  const [first] = rows
  const tabId = tabIdOf({ kind: 'entity', id })
  const { active, show, select } = workbench.getState()
  if (first && active === tabId) {
    show(tabId, { tab: first.kind === 'entityAttribute' ? 'relationships' : undefined })
    select(tabId, { kind: first.kind, uids: [first.uid], reveal: true })
  }
  const lines = failure.errors.map(({ message }, index) => {
    const row = rows[index]
    return row ? `${placeWords(row)}: ${message}` : message
  })
  const more = lines.length > maxReported ? [messages.referring.more(lines.length - maxReported)] : []
  return failure.with({ message: [...lines.slice(0, maxReported), ...more].join('\n') })
}

/**
 * The row and field of a request path such as `entity.typeAttributes.2.defaultValue`; null if the path is in neither
 * list.
 */
function rowAt(path: string, content: EntityContent): Row | null {
  const [, list, index, field = ''] = path.split('.')
  if (list === 'typeAttributes') {
    const row = content.typeAttributes[Number(index)]
    return row ? { kind: 'typeAttribute', uid: row.uid, name: row.name, field } : null
  }
  if (list !== 'entityAttributes') return null
  const row = content.entityAttributes[Number(index)]
  return row ? { kind: 'entityAttribute', uid: row.uid, name: row.foreignKeyTypeAttribute, field } : null
}
