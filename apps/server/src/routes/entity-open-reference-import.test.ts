import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addRelationship,
  createEntity,
  exportEntity,
  getEntity,
  importEntity,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { messages } from '@cadmus/model/messages'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, type EntityBody, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('References of an imported entity', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let elsewhere: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    elsewhere = server.bootstrap('GLOBEX')
  })
  afterAll(() => server.stop())

  const create = async (name: string, input: Partial<EntityBody['entity']> = {}) =>
    (await designer.call(createEntity, { body: { entity: { name, ...input } } })).entity
  const read = async (id: number, client = elsewhere) => (await client.call(getEntity, { params: { id } })).entity
  const save = async (entity: EntityAnswer, changes: Partial<EntityBody['entity']>) =>
    designer.call(updateEntity, { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch: '*' })
  const exported = async (id: number) => designer.call(exportEntity, { params: { id } })
  const imported = async ({ entityDoc }: { entityDoc: unknown }) => {
    const bytes = new TextEncoder().encode(JSON.stringify(entityDoc))
    return elsewhere.call(importEntity, { query: {}, files: { entityFile: { name: 'x.json', bytes } } })
  }

  it('decisions §3: create no cycle from two entities exported while each extended the other', async () => {
    const [one, two, three] = [await create('RingOne'), await create('RingTwo'), await create('RingThree')]
    await save(one, { extendsEntity: { id: two.id } })
    const first = await exported(one.id)
    await save(await read(one.id, designer), { extendsEntity: null })
    await save(two, { extendsEntity: { id: three.id } })
    const second = await exported(two.id)
    await save(await read(two.id, designer), { extendsEntity: null })
    await save(three, { extendsEntity: { id: one.id } })
    const third = await exported(three.id)

    const oneHere = (await imported(first)).entity
    const twoHere = (await imported(second)).entity
    const { entity: threeHere, report } = await imported(third)
    expect((await read(oneHere.id)).extendsEntity?.id).toBe(twoHere.id)
    expect((await read(threeHere.id)).extendsEntity?.id).toBe(oneHere.id)
    const open = await read(twoHere.id)
    expect([open.extendsEntity?.id, open.extendsEntity?.name]).toEqual([-1, 'RingThree'])
    expect(report).toEqual([
      { severity: 'warning', path: 'extendsEntity', message: messages.extendsLeftOpen('RingTwo', 'RingThree') },
    ])
    const { entityLogs } = await elsewhere.call(listEntityLogs, { query: {} })
    expect(JSON.stringify(entityLogs)).toContain(messages.extendsLeftOpen('RingTwo', 'RingThree'))
  })

  it('decisions §3: drop a base entity that is the entity itself', async () => {
    const parent = await create('SelfParent')
    const subtype = await create('SelfHeir', { extendsEntity: { id: parent.id } })
    const file = JSON.stringify(await exported(subtype.id)).replaceAll(parent.uid, subtype.uid)
    const { entity, report } = await imported(JSON.parse(file))
    expect((await read(entity.id)).extendsEntity?.id).toBe(-1)
    expect(report.map(({ path, message }) => [path, message])).toEqual([['extendsEntity', messages.extendsItself]])
  })

  it('report each missing target once, as unresolved and not as an error', async () => {
    const target = await create('FarTarget', { typeAttributes: [{ name: 'code' }] })
    const source = await create('FarSource')
    const body = aRelationship(target, 'farId', 'code')
    await designer.call(addRelationship, { params: { id: source.id }, body, ifMatch: '*' })
    const file = await exported(source.id)
    const text = JSON.stringify(file)
    const reference = { id: -1, uid: target.uid, name: 'FarTarget', path: target.path }
    const alternative = JSON.stringify([{ entity: reference, attribute: 'id' }])
    const { report } = await imported(
      JSON.parse(text.replace('"alternativeTargets":[]', `"alternativeTargets":${alternative}`)),
    )
    expect(report).toEqual([
      { severity: 'warning', path: 'entityAttributes.farId', message: messages.openReference('FarTarget') },
    ])
  })
})
