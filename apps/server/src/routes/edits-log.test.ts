import { afterAll, beforeAll, expect, it } from 'vitest'
import { configurationEdits, entityEdits, manifestEdits } from '@cadmus/model/contract/edits'
import { createEntity, deleteEntity, getEntity } from '@cadmus/model/contract/entity'
import { createManifest, getManifestConfiguration } from '@cadmus/model/contract/manifest'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { entityContentSchema } from '@cadmus/model/entity'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship } from '../testing/entities.ts'

describeOnBothStores.whenProving('The log of a document, newest first, and the states of its entries', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let colleague: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    colleague = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const created = async (entity: object = {}) => {
    const { entity: made } = await designer.call(createEntity, {
      body: { entity: { name: `Logged${++count}`, ...entity } },
    })
    return made.id
  }
  const stateOf = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { etag, content: entityContentSchema.parse(JSON.parse(answer.entity.content)) }
  }
  const save = async (id: number, edits: readonly EntityEdit[], client = designer, more: object = {}) => {
    const { etag } = await stateOf(id)
    const body = { format: editFormat, operationId: newUid(), base: etag, edits: [...edits], ...more }
    return client.call(entityEdits.save, { params: { id }, body })
  }
  const describe = (description: string): EntityEdit => ({ kind: 'changeEntity', change: { description } })
  const newest = async (id: number, query: object = {}) =>
    (await designer.call(entityEdits.list, { params: { id }, query: { before: 0, ...query } })).entries

  it('lists the newest entries first without their edits, says whose they are, and goes on below an entry', async () => {
    const id = await created()
    await save(id, [describe('mine')])
    await save(id, [describe('theirs')], colleague)
    const entries = await newest(id)
    expect(entries.map(({ own }) => own)).toEqual([false, true, true])
    expect(entries.map(({ edits }) => edits)).toEqual([null, null, null])
    const below = await newest(id, { before: entries[0]?.sequence, limit: 1 })
    expect(below).toEqual([entries[1]])
  })

  it('marks entries that followed from the change of another document, and gives them no cause', async () => {
    const target = await created({ typeAttributes: [{ name: 'code' }] })
    const source = await created({ entityAttributes: [aRelationship({ id: target }, 'targetCode', 'code')] })
    const { content } = await stateOf(target)
    const uid = content.typeAttributes.find(({ name }) => name === 'code')?.uid ?? ''
    const { entry } = await save(target, [describe('first')])
    const cause = { kind: 'undo' as const, sequence: entry?.sequence ?? 0 }
    const onReferences = { [uid]: 'remove' as const }
    await save(target, [{ kind: 'removeAttributes', uids: [uid] }], designer, { cause, onReferences })
    expect((await newest(target)).slice(0, 2).map(one => [one.follows, one.cause])).toEqual([
      [false, cause],
      [false, undefined],
    ])
    expect((await newest(source)).map(one => [one.follows, one.cause])).toEqual([
      [true, undefined],
      [false, undefined],
    ])
  })

  it('marks the changes of referring entities after a deletion', async () => {
    const target = await created()
    const source = await created({ entityAttributes: [aRelationship({ id: target }, 'targetId')] })
    await designer.call(deleteEntity, { params: { id: target }, query: { onReferences: 'remove' } })
    expect((await newest(source)).map(({ follows }) => follows)).toEqual([true, false])
  })

  it('answers the contents before and after an entry, with current names in references', async () => {
    const target = await created()
    const id = await created({ entityAttributes: [aRelationship({ id: target }, 'targetId')] })
    const before = await stateOf(id)
    const { entry } = await save(id, [describe('after')])
    await save(target, [{ kind: 'changeEntity', change: { name: 'Elsewhere' } }])
    const params = { id, sequence: entry?.sequence ?? 0 }
    const states = await designer.call(entityEdits.states, { params })
    const now = (await stateOf(id)).content
    expect(states.after).toEqual(now)
    expect(states.before).toEqual({ ...now, description: before.content.description })
    expect(states.before?.entityAttributes[0]?.associatedEntity.name).toBe('Elsewhere')
    expect(states.entry).toMatchObject({ sequence: params.sequence, own: true, edits: [describe('after')] })
    const [creation] = (await newest(id)).slice(-1)
    const first = await designer.call(entityEdits.states, { params: { id, sequence: creation?.sequence ?? 0 } })
    expect(first.before).toBeNull()
    const other = await designer.refusal(entityEdits.states, { params: { ...params, id: target } })
    expect(other.status).toBe(404)
  })

  it('shows no secret of an earlier configuration; its placeholder restores it', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Logged${++count}` } })
    const params = { id: manifest.id }
    const path = ['packageProperties', 'connectionPoolInfo', 'password']
    const set = async (value: string) => {
      const { etag } = await designer.callWithTag(getManifestConfiguration, { params })
      const edits: ConfigurationEdit[] = [{ kind: 'changeConfiguration', changes: [{ path, value }] }]
      const body = { format: editFormat, operationId: newUid(), base: etag, edits }
      return designer.call(configurationEdits.save, { params, body })
    }
    const first = await set('hidden one')
    const second = await set('hidden two')
    const at = { ...params, sequence: second.entry?.sequence ?? 0 }
    const text = await (await designer.send(configurationEdits.states, { params: at })).text()
    expect(text).not.toContain('hidden')
    const { before, after } = await designer.call(configurationEdits.states, { params: at })
    expect([before, after]).toEqual([first.content, second.content])
    const back = await set(before?.packageProperties.connectionPoolInfo.password ?? '')
    expect(back.content).toEqual(first.content)
  })

  it('answers the states of a manifest, and 404 in another organisation', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Logged${++count}` } })
    const body = { format: editFormat, operationId: newUid(), base: '*' }
    const edits = [{ kind: 'changeManifest' as const, change: { name: `Renamed${count}` } }]
    const params = { id: manifest.id }
    const { entry } = await designer.call(manifestEdits.save, { params, body: { ...body, edits } })
    const at = { ...params, sequence: entry?.sequence ?? 0 }
    const { before, after } = await designer.call(manifestEdits.states, { params: at })
    expect([before?.name, after?.name]).toEqual([`Logged${count}`, `Renamed${count}`])
    const outsider = await server.as('admin')
    expect((await outsider.refusal(manifestEdits.states, { params: at })).status).toBe(404)
  })
})
