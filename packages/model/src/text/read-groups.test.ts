import { expect, it } from 'vitest'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { aKey, aList, anEntity, aTypeAttribute } from '../testing/builders.ts'
import type { TextModel } from './marked-text.ts'
import { printModel } from './print.ts'
import { readModel } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

it('a deleted line leaves the groups of its attribute, and a renamed one stays in them', () => {
  const [id, email, born] = [aKey(), aTypeAttribute({ name: 'email' }), aTypeAttribute({ name: 'born' })]
  const members = [email, born, id].map(({ uid, name }) => ({ uid, name, descending: false }))
  const {
    id: entityId,
    path,
    ...content
  } = {
    ...anEntity({ name: 'Customer', typeAttributes: aList(id, email, born) }),
    groups: [{ uid: 'g', kind: 'index' as const, name: '', members }],
  }
  const model: TextModel = {
    project: { name: 'Shop', description: '' },
    entities: [{ id: entityId, path, content, isEditable: true, primaryKey: 'id' }],
    others: [],
  }
  const shown = printModel(model)
  const line = /\n {2}born [^\n]*/.exec(shown.text)?.[0] ?? ''
  const { problems, edits } = readModel(
    edited(shown, [
      [line, ''],
      ['email string', 'mail string'],
    ]),
    model,
  )
  expect(problems).toEqual([])
  const { groups } = applyEntityEdits(content, edits.get(entityId) ?? [])
  expect(groups.map(group => group.members.map(({ name }) => name))).toEqual([['mail', 'id']])
})
