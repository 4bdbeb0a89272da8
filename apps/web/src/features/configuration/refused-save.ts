import type { Configuration } from '@cadmus/model/configuration'
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../api/error.ts'
import type { Scope } from '../../api/scope.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { tabLabels } from '../../commands/configuration-tabs.ts'
import { placeOf } from '../../commands/configuration-words.ts'

type Refused = { id: number; property: number; field: 'name' | 'value' }

/** The property rejected by the last save, until it has the focus. */
export const refusedStore = createStore<{ refused: Refused | null }>(() => ({ refused: null }))

/** Maximum number of problems reported per save. */
const maxReported = 5

/** Shows the place of the first problem, and returns the failure with all places added. */
export function showFirstProblem(id: number, failure: unknown, configuration: Configuration, scope: Scope): unknown {
  if (!(failure instanceof ApiError) || failure.errors.length === 0) return failure
  const places = failure.errors.map(({ path, message }) => ({ path, message, ...placeOf(path, configuration) }))
  const [first] = places
  if (first) {
    workbench.getState().show(tabIdOf({ kind: 'configuration', id }, scope), { tab: first.tab })
    const [, part, item = '', field] = first.path.split('.')
    if (part === 'customProperties' && item !== '')
      refusedStore.setState({ refused: { id, property: Number(item), field: field === 'value' ? 'value' : 'name' } })
  }
  const lines = places.map(({ tab, label, message }) => {
    const place = label === '' ? tabLabels[tab] : `${tabLabels[tab]}, ${label}`
    return `${place}: ${message}`
  })
  const more = lines.length > maxReported ? [`and ${lines.length - maxReported} more`] : []
  return failure.with({ message: [...lines.slice(0, maxReported), ...more].join('\n') })
}
