import { sideSchema } from '@cadmus/model/contract/comparison'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { checkInput } from './check-input.ts'

it('all problems of a short input are described, and defaults are filled in', () => {
  const schema = z.object({ names: z.array(z.string()), more: z.string().default('none') })
  expect(checkInput(schema, { names: ['a'] })).toEqual({ value: { names: ['a'], more: 'none' } })
  expect(checkInput(schema, { names: ['a', 1], more: 2 })).toMatchObject({
    error: { errors: [{ path: 'names.1' }, { path: 'more' }] },
  })
})

it('edits with very many problems are refused for the first one', () => {
  const edits = [
    { kind: 'addAttributes', added: Array.from({ length: 45_000 }, () => ({ item: { name: 'x' }, before: null })) },
    {
      kind: 'changeAttributes',
      changes: [{ uid: 'a', change: { choices: Array.from({ length: 200_000 }, () => 1) } }],
    },
  ]
  const refusals = edits.map(edit => {
    const after = { kind: 'draft', entities: [{ id: 1, edits: [edit] }] }
    return checkInput(sideSchema, after)
  })
  const place = 'entities.0.edits.0'
  expect(refusals).toMatchObject([
    { error: { status: 400, errors: [{ path: `${place}.added.0.item.uid` }] } },
    { error: { status: 400, errors: [{ path: `${place}.changes.0.change.choices.0` }] } },
  ])
})
