import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  createEntity,
  getEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, type EntityBody, relationshipBody, saveBody, typeAttributeBody } from '../testing/entities.ts'

type Changes = Partial<EntityBody['entity']>
type State = { entity: EntityAnswer; etag: string }

describeOnBothStores.whenProving('A rejected save names the last author of the conflicting field', store => {
  let server: TestConsole
  let dan: ConsoleClient
  let ada: ConsoleClient
  let nia: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    dan = await server.as('designer')
    ada = await server.as('admin', 'ACME')
    nia = await server.as('newcomer', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const opened = async (names = ['field', 'other']): Promise<State> => {
    const typeAttributes = names.map(name => ({ name }))
    const body = { entity: { name: `Contested${++count}`, typeAttributes } }
    return get((await dan.call(createEntity, { body })).entity.id)
  }
  const get = async (id: number, version?: string): Promise<State> => {
    const { answer, etag } = await dan.callWithTag(getEntity, { params: { id }, query: { version } })
    return { entity: answer.entity, etag }
  }
  const save = async (who: ConsoleClient, { entity, etag }: State, changes: Changes): Promise<State> => {
    const input = { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch: etag }
    const { answer, etag: next } = await who.callWithTag(updateEntity, input)
    return { entity: answer.entity, etag: next }
  }
  const refused = async ({ entity, etag }: State, changes: Changes) => {
    const input = { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch: etag }
    const { status, answer } = await nia.refusal(updateEntity, input)
    expect(status).toBe(409)
    return answer.conflicts?.map(({ path, field, who, when }) => {
      expect(Date.parse(when)).toBeGreaterThan(Date.now() - 120_000)
      return [path, field, who]
    })
  }
  const changed = (entity: EntityAnswer, name: string, change: object) =>
    entity.typeAttributes.map(item => ({ ...typeAttributeBody(item), ...(item.name === name ? change : {}) }))
  const without = (entity: EntityAnswer, name: string) =>
    entity.typeAttributes.filter(item => item.name !== name).map(item => typeAttributeBody(item))

  it('a rejected save does not name the author of another field of the same attribute or of its rename', async () => {
    const base = await opened()
    const first = await save(dan, base, { typeAttributes: changed(base.entity, 'field', { maxLength: 10 }) })
    const second = await save(ada, first, { typeAttributes: changed(first.entity, 'field', { description: 'Hers' }) })
    const third = await save(nia, second, { typeAttributes: changed(second.entity, 'field', { name: 'renamed' }) })
    // Another attribute now has this name.
    const typeAttributes = [...changed(third.entity, '', {}), { name: 'field', maxLength: 30 }]
    await save(ada, third, { typeAttributes })
    const mine = changed(base.entity, 'field', { maxLength: 20, description: 'Mine' })
    expect(await refused(base, { typeAttributes: mine })).toEqual([
      ['typeAttributes.field', 'description', 'Ada Admin'],
      ['typeAttributes.field', 'maxLength', 'Dan Designer'],
    ])
  })

  it('a rejected save names the organisation of an author from another organisation', async () => {
    const base = await opened()
    const first = await save(nia, base, { description: 'Elsewhere' })
    await save(dan, first, { typeAttributes: changed(first.entity, 'field', { maxLength: 10 }) })
    const mine = { description: 'Here', typeAttributes: changed(base.entity, 'field', { maxLength: 20 }) }
    const input = { params: { id: base.entity.id }, body: saveBody(base.entity, mine), ifMatch: base.etag }
    const { answer } = await nia.refusal(updateEntity, input)
    expect(answer.conflicts?.map(({ field, own }) => [field, own])).toEqual([
      ['description', true],
      ['maxLength', undefined],
    ])
  })

  it('a rejected save names the author of the current value, skipping changes that were undone', async () => {
    const base = await opened()
    const first = await save(dan, base, { description: 'One' })
    const second = await save(ada, first, { description: 'Two' })
    await save(nia, second, { operationScopes: { selectOperationScopes: ['later'] } })
    expect(await refused(base, { description: 'Mine' })).toEqual([['', 'description', 'Ada Admin']])
  })

  it('a rejected save names the author for an attribute deleted or edited concurrently', async () => {
    const base = await opened()
    const first = await save(dan, base, { typeAttributes: without(base.entity, 'field') })
    const second = await save(ada, first, { typeAttributes: changed(first.entity, 'other', { description: 'Hers' }) })
    await save(nia, second, { description: 'Later' })
    const typeAttributes = changed(base.entity, 'field', { maxLength: 20 }).filter(({ name }) => name !== 'other')
    expect(await refused(base, { typeAttributes })).toEqual([
      ['typeAttributes.field', 'deleted', 'Dan Designer'],
      ['typeAttributes.other', 'deleted', 'Ada Admin'],
    ])
  })

  it('a rejected save names the author for a changed order, an added name or a moved key', async () => {
    const base = await opened(['first', 'second', 'third'])
    const inOrder = (entity: EntityAnswer, names: readonly string[]) =>
      names.flatMap((name, position) =>
        entity.typeAttributes
          .filter(item => item.name === name)
          .map(item => Object.assign(typeAttributeBody(item), { position })),
      )
    const first = await save(dan, base, { typeAttributes: inOrder(base.entity, ['third', 'id', 'first', 'second']) })
    const added = [...changed(first.entity, '', {}), { name: 'email' }]
    const second = await save(ada, first, { typeAttributes: added })
    await save(nia, second, { typeAttributes: changed(second.entity, 'email', { description: 'Later' }) })
    const mine = inOrder(base.entity, ['id', 'third', 'first', 'second'])
    expect(await refused(base, { typeAttributes: mine })).toEqual([['', 'order', 'Dan Designer']])
    const emails = [...changed(base.entity, '', {}), { name: 'email', maxLength: 9 }]
    expect(await refused(base, { typeAttributes: emails })).toEqual([['typeAttributes.email', 'name', 'Ada Admin']])
  })

  it('a rejected save names the author for a relationship', async () => {
    const target = await opened(['aim'])
    const { entity } = await opened()
    const params = { id: entity.id }
    const input = { entityAttributes: [aRelationship(target.entity, 'targetId')] }
    const base = await save(dan, await get(entity.id), input)
    const item = base.entity.entityAttributes[0]!
    const call = {
      params: { ...params, associatedEntityId: target.entity.id },
      query: { associatedAttributeName: 'targetId' },
    }
    const first = { ...call, body: { ...relationshipBody(item), onDelete: 'cascade' as const }, ifMatch: base.etag }
    await dan.call(updateRelationship, first)
    await ada.call(updateRelationship, { ...first, body: { ...relationshipBody(item), description: 'Hers' } })
    const mine = { ...relationshipBody(item), onDelete: 'setNull' as const }
    expect(await refused(base, { entityAttributes: [mine] })).toEqual([
      ['entityAttributes.targetId', 'onDelete', 'Dan Designer'],
    ])
  })

  it('a rejected save names the author for an old version', async () => {
    const { entity } = await opened()
    await dan.call(addEntityVersion, { params: { id: entity.id }, query: { version: '1.1.0' } })
    const [old, latest] = [await get(entity.id, '1.0.0'), await get(entity.id)]
    await save(dan, old, { operationScopes: { selectOperationScopes: ['old'] } })
    await save(ada, latest, { operationScopes: { selectOperationScopes: ['new'] } })
    const mine = { operationScopes: { selectOperationScopes: ['mine'] } }
    expect(await refused(old, mine)).toEqual([['operationScopes', 'selectOperationScopes', 'Dan Designer']])
    expect(await refused(latest, mine)).toEqual([['operationScopes', 'selectOperationScopes', 'Ada Admin']])
  })

  it('a rejected save names the author after any number of later changes', async () => {
    const base = await opened()
    let state = await save(dan, base, { typeAttributes: changed(base.entity, 'field', { maxLength: 10 }) })
    for (let index = 0; index < 60; index++) state = await save(ada, state, { description: `${index}` })
    const typeAttributes = changed(base.entity, 'field', { maxLength: 20 })
    expect(await refused(base, { typeAttributes })).toEqual([['typeAttributes.field', 'maxLength', 'Dan Designer']])
  })
})
