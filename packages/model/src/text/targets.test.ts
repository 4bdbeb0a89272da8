import { expect, it } from 'vitest'
import { textTexts } from '../messages/text.ts'
import { aKey, aList, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { printModel } from './print.ts'
import { readModel } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const entities = [
  anEntity({ name: 'Room', typeAttributes: [aKey()] }),
  anEntity({ name: 'room', typeAttributes: [aKey()] }),
  anEntity({ name: 'Bed', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'place' })) }),
].map(({ id, path, ...content }) => ({ id, path, content, isEditable: true, primaryKey: 'id' }))
const [rooms, bed] = [entities.slice(0, 2), entities.slice(2)]
const others = rooms.map(({ content: { name, uid }, ...room }) => ({ ...room, name, uid }))

it.each([
  ['in the text', { project: null, entities, others: [] }],
  ['outside of the text', { project: null, entities: bed, others }],
])(
  'of several entities of a name %s, a reference means the one of its spelling, and otherwise none',
  (_where, model) => {
    const referring = (target: string) => {
      const line = ['place string [not null]', `place integer [ref: > ${target}.id]`] as const
      const { problems, edits } = readModel(edited(printModel(model), [line]), model)
      const added = [...edits.values()].flat().flatMap(edit => (edit.kind === 'addRelationships' ? edit.added : []))
      return [problems.map(({ message }) => message), added.map(({ item }) => item.associatedEntity.id)]
    }
    expect(referring('Room')).toEqual([[], [entities[0]?.id]])
    expect(referring('room')).toEqual([[], [entities[1]?.id]])
    expect(referring('ROOM')[0]).toEqual([textTexts.severalTargets('ROOM')])
    expect(referring('Ward')[0]).toEqual([textTexts.unknownTarget('Ward')])
  },
)
