import { beforeEach, expect, it } from 'vitest'
import { tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { showNeeded, whyUnavailable } from './needed-document.ts'

const shop = { kind: 'manifest', id: 1, name: 'Shop' } as const
const customer = { kind: 'entity', id: 2, name: 'Customer' } as const

beforeEach(() => workbench.getState().reset())

it('a tour of a screen needs an open document of its kind, other tours need none', () => {
  expect([whyUnavailable('sheet'), whyUnavailable('diagram'), whyUnavailable('manifest')]).toEqual([
    'Open an entity first.',
    'Open a manifest first.',
    false,
  ])
  workbench.getState().open(customer)
  expect([whyUnavailable('sheet'), whyUnavailable('publishing')]).toEqual([false, 'Open a manifest first.'])
})

it('a tour of a screen shows the part of the document that it is about', () => {
  workbench.getState().open(shop)
  workbench.getState().open(customer)
  showNeeded('diagram')
  const { active, shown } = workbench.getState()
  expect([active, shown.get(tabIdOf(shop))?.tab]).toEqual([tabIdOf(shop), 'diagram'])
})
