import { newEntityContent } from '@cadmus/model/entity'
import { expect, it, vi } from 'vitest'
import { entityStandIn } from './entity-draft.ts'
import { findTargets } from './named-targets.ts'

it('targets beyond the limit of a paste are refused with the limit, not as unknown', async () => {
  vi.stubGlobal('fetch', async () => Promise.resolve(Response.json({ entity: [], total: 0 })))
  const texts = Array.from({ length: 201 }, (_, at) => `Target${at}.id`)
  const target = await findTargets(texts, entityStandIn(1, newEntityContent({ name: 'Order' }), undefined))
  vi.unstubAllGlobals()
  expect(target('Target200.id')).toEqual({
    reason: 'A paste looks up at most 200 different targets. Paste this one again.',
  })
  expect(target('Other.id')).toMatchObject({ reason: expect.stringContaining('"Other.id" is not a known entity') })
})
