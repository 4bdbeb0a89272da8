import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newEntityAttribute } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { isPrimaryKey, type TypeAttribute } from '../type-attribute.ts'
import { mergeEntity, mergeTakingTheirs } from './entity.ts'

const country = anEntity({ name: 'Country' })
const base = anEntityContent({
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'title' }),
    aTypeAttribute({ name: 'state', choices: ['Open'] }),
    aTypeAttribute({ name: 'note' }),
  ),
  entityAttributes: [aRelationship(country, { position: 4 })],
})

function withAttribute(content: EntityContent, name: string, change: Partial<TypeAttribute>): EntityContent {
  return {
    ...content,
    typeAttributes: content.typeAttributes.map(item => (item.name === name ? { ...item, ...change } : item)),
  }
}

function without(content: EntityContent, name: string): EntityContent {
  return { ...content, typeAttributes: content.typeAttributes.filter(item => item.name !== name) }
}

function conflicts(mine: EntityContent, theirs: EntityContent): [string, string][] {
  return (mergeEntity(base, mine, theirs).conflicts ?? []).map(({ path, field }) => [path, field])
}

describe('merging entities', () => {
  it('takes changes of either side, by uid and field', () => {
    const mine = { ...withAttribute(base, 'title', { name: 'heading' }), description: 'Mine' }
    const theirs = withAttribute(withAttribute(base, 'title', { maxLength: 80 }), 'note', { indexed: true })
    const { merged } = mergeEntity(base, mine, theirs)
    expect(merged).toEqual(
      withAttribute(
        withAttribute({ ...base, description: 'Mine' }, 'title', { name: 'heading', maxLength: 80 }),
        'note',
        { indexed: true },
      ),
    )
  })

  it('reports both values of a field changed by both sides', () => {
    const answer = mergeEntity(
      base,
      withAttribute(base, 'state', { choices: ['Open', 'A'] }),
      withAttribute(base, 'state', { choices: ['B'] }),
    )
    expect(answer.conflicts).toEqual([
      { path: 'typeAttributes.state', field: 'choices', base: ['Open'], mine: ['Open', 'A'], theirs: ['B'] },
    ])
  })

  it('treats the same change on both sides as one', () => {
    const changed = withAttribute(base, 'state', { choices: ['Open', 'A'] })
    expect(mergeEntity(base, changed, structuredClone(changed)).merged).toEqual(changed)
  })

  it('merges scopes by operation', () => {
    const scopes = (change: object) => ({ ...base, operationScopes: { ...base.operationScopes, ...change } })
    const mine = scopes({ selectOperationScopes: ['read'] })
    expect(mergeEntity(base, mine, scopes({ insertOperationScopes: ['write'] })).merged?.operationScopes).toMatchObject(
      {
        selectOperationScopes: ['read'],
        insertOperationScopes: ['write'],
      },
    )
    expect(conflicts(mine, scopes({ selectOperationScopes: ['all'] }))).toEqual([
      ['operationScopes', 'selectOperationScopes'],
    ])
  })

  it('a deletion wins unless the other side edited the deleted item', () => {
    expect(mergeEntity(base, without(base, 'note'), withAttribute(base, 'title', { unique: true })).merged).toEqual(
      without(withAttribute(base, 'title', { unique: true }), 'note'),
    )
    const answer = mergeEntity(base, without(base, 'note'), withAttribute(base, 'note', { unique: true }))
    expect(answer.conflicts).toMatchObject([
      { path: 'typeAttributes.note', field: 'deleted', mine: null, theirs: { unique: true } },
    ])
  })

  it('an attribute converted to a foreign key survives its deletion by the other side', () => {
    const note = base.typeAttributes[3]!
    const key = newEntityAttribute({
      uid: note.uid,
      position: note.position,
      associatedEntity: { id: 3, name: 'Note', path: 'user-defined/Note' },
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'note',
    })
    const asKey = { ...without(base, 'note'), entityAttributes: [key, ...base.entityAttributes] }
    expect(mergeEntity(base, asKey, base).merged).toEqual(asKey)
    expect(conflicts(asKey, without(base, 'note'))).toEqual([['typeAttributes.note', 'deleted']])
    expect(conflicts(without(base, 'note'), asKey)).toEqual([['typeAttributes.note', 'deleted']])
    expect(conflicts(asKey, withAttribute(base, 'note', { description: 'x' }))).toEqual([
      ['typeAttributes.note', 'deleted'],
    ])
  })

  it('two attributes of the same name, or two keys, are a conflict even if both sides are valid', () => {
    const add = (name: string) => ({
      ...base,
      typeAttributes: [...base.typeAttributes, aTypeAttribute({ name, position: 5 })],
    })
    expect(conflicts(add('email'), add('Email'))).toEqual([['typeAttributes.email', 'name']])
    expect(conflicts(add('email'), withAttribute(base, 'note', { name: 'EMAIL' }))).toHaveLength(1)
    const keyIs = (name: string) =>
      withAttribute(withAttribute(base, 'id', { purpose: 'hasA' }), name, { purpose: 'identifiedBy' })
    expect(conflicts(keyIs('title'), keyIs('note'))).toEqual([['', 'primaryKey']])
  })

  it('a key replaced by an inherited one conflicts with another new key', () => {
    const extendsEntity = { id: 77, name: 'Contact', path: 'user-defined/Contact' }
    const subtype = { ...without(base, 'id'), extendsEntity }
    const keyed = withAttribute(without(base, 'id'), 'note', { purpose: 'identifiedBy' })
    expect(conflicts(subtype, keyed)).toEqual([['', 'primaryKey']])
    expect(conflicts(keyed, subtype)).toEqual([['', 'primaryKey']])
    expect(mergeTakingTheirs(base, subtype, keyed)).toMatchObject({ extendsEntity: null })
    expect(mergeTakingTheirs(base, keyed, subtype)).toMatchObject({ extendsEntity })
    expect(mergeTakingTheirs(base, keyed, subtype).typeAttributes.some(isPrimaryKey)).toBe(false)
    expect(conflicts(subtype, withAttribute(base, 'note', { description: 'theirs' }))).toEqual([])
  })

  it('treats a foreign key that is the primary key like any other key', () => {
    const foreignKey = (name: string) => ({
      ...without(base, 'id'),
      entityAttributes: [
        ...base.entityAttributes,
        newEntityAttribute({
          associatedEntity: { id: 78, name: 'Target', path: 'user-defined/Target' },
          associatedEntityTypeAttribute: 'id',
          foreignKeyTypeAttribute: name,
          foreignKeyPurpose: 'identifiedBy',
          position: 6,
        }),
      ],
    })
    const keyed = foreignKey('targetId')
    const subtype = { ...without(base, 'id'), extendsEntity: { id: 77, name: 'Contact', path: 'user-defined/Contact' } }
    const named = withAttribute(without(base, 'id'), 'note', { purpose: 'identifiedBy' })
    for (const other of [subtype, named, foreignKey('otherId')]) {
      expect(conflicts(keyed, other)).toEqual([['', 'primaryKey']])
      expect(conflicts(other, keyed)).toEqual([['', 'primaryKey']])
      const left = mergeTakingTheirs(base, keyed, other)
      expect(left.entityAttributes.map(item => [item.foreignKeyTypeAttribute, item.foreignKeyPurpose])).toContainEqual([
        'targetId',
        'hasA',
      ])
    }
  })

  it('an attribute moved by one side and an attribute added by the other both get their positions', () => {
    const moved = {
      ...base,
      typeAttributes: aList(
        ...['id', 'note', 'title', 'state'].map(name => base.typeAttributes.find(item => item.name === name)!),
      ),
    }
    const added = { ...base, typeAttributes: [...base.typeAttributes, aTypeAttribute({ name: 'colour', position: 5 })] }
    const { merged } = mergeEntity(base, moved, added)
    expect(merged?.typeAttributes.map(item => [item.name, item.position])).toEqual([
      ['id', 0],
      ['note', 1],
      ['title', 2],
      ['state', 3],
      ['colour', 5],
    ])
    expect(merged?.entityAttributes[0]?.position).toBe(4)
  })

  it('gaps in positions are not a change of order', () => {
    const spread = (by: number) => ({
      ...base,
      typeAttributes: base.typeAttributes.map(item => ({ ...item, position: item.position * by })),
      entityAttributes: base.entityAttributes.map(item => ({ ...item, position: item.position * by })),
    })
    expect(mergeEntity(base, spread(2), base).merged).toEqual(spread(2))
    expect(mergeEntity(base, base, spread(2)).merged).toEqual(spread(2))
    expect(mergeEntity(base, spread(2), spread(3)).merged).toEqual(base)
  })

  it('a reference is one field, and its name is irrelevant', () => {
    const to = (id: number, name: string) => ({ ...base, extendsEntity: { id, name, path: `user-defined/${name}` } })
    expect(mergeEntity(to(7, 'Party'), to(7, 'Partner'), to(8, 'Role')).merged?.extendsEntity?.id).toBe(8)
    expect(mergeEntity(base, to(7, 'Party'), to(8, 'Role')).conflicts).toHaveLength(1)
  })
})

describe('taking theirs', () => {
  const columns = ({ typeAttributes, entityAttributes }: EntityContent) => [
    ...typeAttributes.map(({ uid, name }) => `${uid} ${name}`),
    ...entityAttributes.map(({ uid, foreignKeyTypeAttribute }) => `${uid} ${foreignKeyTypeAttribute}`),
  ]
  const note = base.typeAttributes[3]!

  it('an attribute converted to a foreign key by one side takes their form', () => {
    const key = newEntityAttribute({
      uid: note.uid,
      position: note.position,
      associatedEntity: { id: 3, name: 'Note', path: 'user-defined/Note' },
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'note',
    })
    const asKey = { ...without(base, 'note'), entityAttributes: [key, ...base.entityAttributes] }
    for (const theirs of [without(base, 'note'), withAttribute(base, 'note', { description: 'x' })]) {
      expect(columns(mergeTakingTheirs(base, asKey, theirs)).toSorted()).toEqual(columns(theirs).toSorted())
      expect(columns(mergeTakingTheirs(base, theirs, asKey)).toSorted()).toEqual(columns(asKey).toSorted())
    }
  })

  it('a name conflict keeps their name; my item takes its name from theirs or is dropped', () => {
    const add = (name: string) => ({
      ...base,
      typeAttributes: [...base.typeAttributes, aTypeAttribute({ name, position: 5 })],
    })
    const renamed = withAttribute(base, 'note', { name: 'EMAIL' })
    const names = (content: EntityContent) => content.typeAttributes.map(({ name }) => name)
    expect(names(mergeTakingTheirs(base, add('email'), renamed))).toEqual(names(renamed))
    expect(names(mergeTakingTheirs(base, renamed, add('email')))).toEqual(names(add('email')))
    const keyIs = (name: string) =>
      withAttribute(withAttribute(base, 'id', { purpose: 'hasA' }), name, { purpose: 'identifiedBy' })
    expect(mergeTakingTheirs(base, keyIs('title'), keyIs('note'))).toEqual(keyIs('note'))
  })
})

describe('arbitrary edits', () => {
  const edit = fc.record({
    fields: fc.dictionary(
      fc.constantFrom('title', 'state', 'note'),
      fc.record({
        description: fc.constantFrom('', 'x', 'y'),
        maxLength: fc.constantFrom(null, 5, 9),
        unique: fc.boolean(),
      }),
    ),
    removed: fc.subarray(['title', 'state', 'note']),
    added: fc.uniqueArray(fc.constantFrom('aa', 'bb', 'cc', 'dd')),
    order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8], { minLength: 9 }),
    description: fc.constantFrom('', 'one', 'two'),
    scopes: fc.subarray(['read', 'write']),
  })
  type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

  function edited({ fields, removed, added, order, description, scopes }: Edit, seed: string): EntityContent {
    const remaining = base.typeAttributes
      .filter(item => !removed.includes(item.name))
      .map(item => ({ ...item, ...fields[item.name] }))
    const more = added.map((name, index) => aTypeAttribute({ uid: `${seed}-${index}`, name: `${seed}_${name}` }))
    const columns = [...remaining, ...base.entityAttributes, ...more].toSorted(
      (a, b) =>
        (order[[...remaining, ...more].findIndex(item => item.uid === a.uid)] ?? 9) -
        (order[[...remaining, ...more].findIndex(item => item.uid === b.uid)] ?? 9),
    )
    const placed = aList(...columns)
    return {
      ...base,
      description,
      operationScopes: { ...base.operationScopes, selectOperationScopes: scopes },
      typeAttributes: placed.filter(item => 'dataType' in item),
      entityAttributes: placed.filter(item => 'associatedEntity' in item),
    }
  }

  it('merge(base, x, base) = x, merge(base, base, y) = y, merge(base, x, x) = x', () => {
    fc.assert(
      fc.property(edit, change => {
        const x = edited(change, 'x')
        expect(mergeEntity(base, x, base).merged).toEqual(x)
        expect(mergeEntity(base, base, x).merged).toEqual(x)
        expect(mergeEntity(base, x, structuredClone(x)).merged).toEqual(x)
      }),
    )
  })

  it('merging is symmetric in both sides', () => {
    fc.assert(
      fc.property(edit, edit, (left, right) => {
        const [x, y] = [edited(left, 'x'), edited(right, 'y')]
        const [one, other] = [mergeEntity(base, x, y), mergeEntity(base, y, x)]
        expect(other.merged).toEqual(one.merged)
        expect(
          other.conflicts?.map(({ path, field, mine, theirs }) => ({ path, field, mine: theirs, theirs: mine })),
        ).toEqual(one.conflicts?.map(({ path, field, mine, theirs }) => ({ path, field, mine, theirs })))
      }),
    )
  })

  it('taking theirs equals the merge without conflicts, and their side of each conflict otherwise', () => {
    fc.assert(
      fc.property(edit, edit, (left, right) => {
        const [x, y] = [edited(left, 'x'), edited(right, 'y')]
        const taken = mergeTakingTheirs(base, x, y)
        expect(mergeEntity(base, x, y).merged ?? taken).toEqual(taken)
        // Applied on top of theirs, it is only a change of mine, so no conflict remains.
        expect(mergeEntity(y, taken, y).merged).toEqual(taken)
        const uids = [...taken.typeAttributes, ...taken.entityAttributes].map(({ uid }) => uid)
        expect(new Set(uids).size).toBe(uids.length)
        const added = x.typeAttributes.map(({ uid }) => uid).filter(uid => uid.startsWith('x-'))
        expect(uids).toEqual(expect.arrayContaining(added))
        const both = [x, y].every(({ description }) => description !== base.description)
        expect(taken.description).toBe(both || x.description === base.description ? y.description : x.description)
        const removed = base.typeAttributes.filter(({ uid }) => !y.typeAttributes.some(item => item.uid === uid))
        expect(uids.filter(uid => removed.some(item => item.uid === uid))).toEqual([])
      }),
    )
  })

  it('edits of different attributes all survive a merge', () => {
    const values = fc.record({
      description: fc.string(),
      unique: fc.boolean(),
      maxLength: fc.option(fc.integer({ min: 1, max: 99 })),
    })
    fc.assert(
      fc.property(values, values, (left, right) => {
        const { merged } = mergeEntity(base, withAttribute(base, 'title', left), withAttribute(base, 'note', right))
        expect(merged).toEqual(withAttribute(withAttribute(base, 'title', left), 'note', right))
      }),
    )
  })
})
