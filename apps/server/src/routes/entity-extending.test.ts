import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, updateEntity } from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { type EntityBody, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('Extending an entity', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (name: string, entity: Partial<EntityBody['entity']> = {}): Promise<EntityAnswer> =>
    (await designer.call(createEntity, { body: { entity: { name, ...entity } } })).entity
  const saved = async (entity: EntityAnswer, changes: Partial<EntityBody['entity']>) =>
    (await designer.call(updateEntity, { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch: '*' }))
      .entity

  it('sets, replaces and removes the base entity', holds('E3.6', 'E7.71'), async () => {
    const [one, other] = [await create('ParentOne'), await create('ParentOther')]
    const child = await create('Child')
    const first = await saved(child, { extendsEntity: { id: one.id } })
    expect(first.extendsEntity?.name).toBe('ParentOne')
    const second = await saved(first, { extendsEntity: { id: other.id } })
    expect(second.extendsEntity).toEqual({
      id: other.id,
      uid: other.uid,
      name: 'ParentOther',
      path: 'user-defined/ParentOther',
    })
    expect((await saved(second, { extendsEntity: null })).extendsEntity).toBeNull()
  })

  it('decisions §3 rejects direct and indirect cycles', async () => {
    const top = await create('Top')
    const middle = await create('Middle', { extendsEntity: { id: top.id } })
    const bottom = await create('Bottom', { extendsEntity: { id: middle.id } })
    for (const [entity, parent] of [
      [top, top],
      [top, bottom],
      [middle, bottom],
    ] as const) {
      const body = saveBody(entity, { extendsEntity: { id: parent.id } })
      const refusal = await designer.refusal(updateEntity, { params: { id: entity.id }, body, ifMatch: '*' })
      expect(refusal.answer.errors).toEqual([
        { path: 'entity.extendsEntity', message: `${parent.name} already extends ${entity.name}.` },
      ])
    }
    const anonymous = saveBody(top, { extendsEntity: { id: 999_999 } })
    const refusal = await designer.refusal(updateEntity, { params: { id: top.id }, body: anonymous, ifMatch: '*' })
    expect(refusal.answer.errors).toEqual([
      { path: 'entity.extendsEntity', message: 'The entity to extend was not found.' },
    ])
  })

  it('rejects one of two entities that concurrently extend each other', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await create(`Left${round}`), await create(`Right${round}`)]
      const extend = (child: EntityAnswer, parent: EntityAnswer) =>
        designer.send(updateEntity, {
          params: { id: child.id },
          body: saveBody(child, { extendsEntity: { id: parent.id } }),
          ifMatch: '*',
        })
      const answers = await Promise.all([extend(a, b), extend(b, a)])
      expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 400])
    }
  })
})
