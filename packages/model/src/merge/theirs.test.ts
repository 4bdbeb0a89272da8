import { expect, it } from 'vitest'
import type { EntityContent } from '../entity.ts'
import { aKey, aList, anEntityContent, aTypeAttribute } from '../testing/builders.ts'
import { isPrimaryKey, type TypeAttribute } from '../type-attribute.ts'
import { mergeTakingTheirs } from './entity.ts'

const base = anEntityContent({
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'title' }), aTypeAttribute({ name: 'note' })),
})

function changed(content: EntityContent, name: string, change: Partial<TypeAttribute>): EntityContent {
  const typeAttributes = content.typeAttributes.map(item => (item.name === name ? { ...item, ...change } : item))
  return { ...content, typeAttributes }
}

const withKey = (name: string) => changed(changed(base, 'id', { purpose: 'hasA' }), name, { purpose: 'identifiedBy' })

it('a name taken from their key does not collide with a column of mine that has the same name', () => {
  const renamed = changed(withKey('title'), 'title', { name: 'heading' })
  const added = aTypeAttribute({ name: 'title', position: 3 })
  const mine = { ...renamed, typeAttributes: [...renamed.typeAttributes, added] }
  expect(mergeTakingTheirs(base, mine, withKey('note'))).toEqual(withKey('note'))
})

it('my new key becomes a unique column without the trait of a key, because their entity inherits one', () => {
  const extended = { ...base, extendsEntity: { id: 9, name: 'Party', path: 'user-defined/Party' } }
  const theirs = { ...extended, typeAttributes: base.typeAttributes.filter(item => !isPrimaryKey(item)) }
  const code = aTypeAttribute({ name: 'code', position: 3, purpose: 'identifiedBy', traits: ['is.identifiedBy'] })
  const former = changed(base, 'id', { purpose: 'hasA' })
  const mine = { ...former, typeAttributes: [...former.typeAttributes, code] }
  const merged = mergeTakingTheirs(base, mine, theirs).typeAttributes.find(({ uid }) => uid === code.uid)
  expect(merged).toMatchObject({ purpose: 'hasA', unique: true, traits: [] })
})
