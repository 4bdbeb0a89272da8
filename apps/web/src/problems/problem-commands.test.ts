import { afterEach, describe, expect, it } from 'vitest'
import type { LiveProblem } from '../api/problems.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { problemsAt } from './problem-commands.ts'

const manifest = { kind: 'manifest', id: 1, name: 'Shop' } as const
const entity = { kind: 'entity', id: 2, name: 'Order' } as const
const attribute = (uid: string) => ({ kind: 'typeAttribute', uid, name: uid }) as const
const problem = (code: string, path: LiveProblem['path'], field?: string): LiveProblem => ({
  severity: 'warning',
  code,
  message: code,
  path,
  ...(field === undefined ? {} : { field }),
})
const problems = [
  problem('scope', [manifest]),
  problem('exclusion', [manifest]),
  problem('noKey', [manifest, entity]),
  problem('name', [manifest, entity, attribute('a')], 'name'),
  problem('defaultType', [manifest, entity, attribute('a')], 'defaultValue'),
  problem('other', [manifest, { ...entity, id: 3 }]),
]

const tabOf = (kind: 'entity' | 'manifest' | 'configuration', id: number) => ({
  kind,
  id,
  name: '',
  preview: false,
  tabId: tabIdOf({ kind, id }),
})
const at = (tab: ReturnType<typeof tabOf>, row?: string, field?: string) =>
  problemsAt(tab, problems, { row, field }).map(({ code }) => code)

afterEach(() => workbench.getState().reset())

describe('the problems to fix', () => {
  it('are those of the row with the focus, those of its column first', () => {
    expect(at(tabOf('entity', 2), 'a', 'defaultValue')).toEqual(['defaultType', 'name'])
    expect(at(tabOf('entity', 2), 'a')).toEqual(['name', 'defaultType'])
  })

  it('are those of the chosen row in the panel, else those of the entity itself', () => {
    const tab = tabOf('entity', 2)
    expect(at(tab)).toEqual(['noKey'])
    workbench.getState().select(tab.tabId, { kind: 'typeAttribute', uids: ['a'] })
    expect(at(tab, undefined, 'name')).toEqual(['name', 'defaultType'])
  })

  it('are those of the part of a configuration, else of all of it', () => {
    const tab = tabOf('configuration', 1)
    expect(at(tab)).toEqual(['scope', 'exclusion'])
    workbench.getState().show(tab.tabId, { tab: 'api' })
    expect(at(tab)).toEqual(['exclusion'])
  })
})
