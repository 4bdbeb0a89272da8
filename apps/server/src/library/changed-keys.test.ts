import { adminGetOrganisationSummary } from '@cadmus/model/contract/admin-documents'
import { createEntity, getEntity, listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { libraryState } from '../store/library-state.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, organisationId, type EntityBody } from '../testing/entities.ts'
import { loadLibrary } from './load-library.ts'

describeOnBothStores.whenProving('An entity that extends a library entity has one key', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let folder: string
  const title = { name: 'title', purpose: 'hasA', dataType: 'string' }
  beforeAll(async () => {
    folder = temporaryFolder('library')
    writeManifest('Base', 'Middle')
    writeBase([title])
    writeMiddle([])
    server = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    designer = await server.as('designer')
    admin = await server.as('admin')
  })
  afterAll(async () => {
    await server.stop()
    removeFolder(folder)
  })

  const write = (file: string, json: object) => writeFileSync(join(folder, file), JSON.stringify(json))
  const writeManifest = (...names: string[]) =>
    write('base.manifest.cdm.json', {
      manifestName: 'base',
      entities: names.map(name => ({
        type: 'LocalEntity',
        entityName: name,
        entityPath: `${name}.cdm.json/${name}`,
      })),
    })
  const writeBase = (hasAttributes: object[]) =>
    write('Base.cdm.json', { definitions: [{ entityName: 'Base', hasAttributes }] })
  const writeMiddle = (hasAttributes: object[], extendsBase = true) =>
    write('Middle.cdm.json', {
      imports: [{ corpusPath: 'Base.cdm.json' }],
      definitions: [{ entityName: 'Middle', ...(extendsBase ? { extendsEntity: 'Base' } : {}), hasAttributes }],
    })
  const keyOf = (name: string) => ({ name, purpose: 'identifiedBy', dataType: 'integer' })
  const idOf = async (name: string) => {
    const { entity } = await designer.call(listEntities, { query: { filter: 'DEFAULT', search: name } })
    return entity.find(one => one.name === name)?.id ?? 0
  }
  const create = async (name: string, changes: Partial<EntityBody['entity']>, client = designer) =>
    (await client.call(createEntity, { body: { entity: { name, ...changes } } })).entity.id
  const read = async (id: number, client = designer) => {
    const { entity } = await client.call(getEntity, { params: { id } })
    const keys = entity.resolvedAttributes?.filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)
    return { own: entity.typeAttributes.map(({ name, purpose }) => [name, purpose]), keys }
  }
  const lastEntry = async (name: string) => {
    const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1000 } })
    return entityLogs.find(entry => entry.ENTITY_NAME === name)?.DESCRIPTION
  }

  it('a subtype of a library entity gets one key once its organisation can be updated, without blocking others', async () => {
    write('Fresh.cdm.json', { definitions: [{ entityName: 'Fresh', hasAttributes: [title] }] })
    writeManifest('Base', 'Middle', 'Fresh')
    await loadLibrary(server.context)
    const extendsEntity = { id: await idOf('Fresh') }
    const below = await create('BelowFresh', { extendsEntity })
    expect(await read(below)).toEqual({ own: [['id', 'identifiedBy']], keys: ['id'] })
    const globex = server.bootstrap('GLOBEX')
    const other = await create('BelowFresh', { extendsEntity }, globex)
    write('Fresh.cdm.json', { definitions: [{ entityName: 'Fresh', hasAttributes: [keyOf('freshId'), title] }] })
    const { store: stored } = server.context
    const acme = await organisationId(server)
    const of: typeof stored.of = id => {
      if (id === acme) throw new Error('The organisation cannot follow.')
      return stored.of(id)
    }
    const failing = { ...server.context, store: { ...stored, of } }
    await loadLibrary(failing)
    expect(await read(other, globex)).toEqual({ own: [], keys: ['freshId'] })
    const isPending = async (code: string) =>
      (await admin.call(adminGetOrganisationSummary, { params: { code } })).libraryPending
    expect([await isPending('ACME'), await isPending('GLOBEX')]).toEqual([true, false])
    write('Other.cdm.json', { definitions: [{ entityName: 'Other', hasAttributes: [title] }] })
    writeManifest('Base', 'Middle', 'Fresh', 'Other')
    await loadLibrary(failing)
    expect(await idOf('Other')).not.toBe(0)
    // Its references are unknown, so removed attributes stay.
    write('Fresh.cdm.json', { definitions: [{ entityName: 'Fresh', hasAttributes: [keyOf('freshId')] }] })
    await loadLibrary(failing)
    expect((await read(extendsEntity.id)).own.map(([name]) => name).toSorted()).toEqual(['freshId', 'title'])
    expect((await read(below)).own).toEqual([['id', 'identifiedBy']])
    expect(server.log.join('\n')).toContain('following the library failed')
    await loadLibrary(server.context)
    expect(await libraryState(stored.shared, 'unsettled')).toBe('')
    expect(await isPending('ACME')).toBe(false)
    expect(await read(below)).toEqual({ own: [], keys: ['freshId'] })
  })

  it('a subtype of a library entity has one key after the library gives the entity a key and removes it again', async () => {
    const extendsEntity = { id: await idOf('Middle') }
    const plain = await create('Plain', { extendsEntity })
    const below = await create('Below', { extendsEntity: { id: plain } })
    const referred = await create('Referred', { extendsEntity })
    await create('Visit', { entityAttributes: [aRelationship({ id: referred }, 'referredId')] })
    const mrn = { name: 'mrn', dataType: 'integer' as const, purpose: 'identifiedBy' as const }
    const chosen = await create('Chosen', { extendsEntity, typeAttributes: [mrn] })
    expect(await read(plain)).toEqual({ own: [['id', 'identifiedBy']], keys: ['id'] })

    writeBase([keyOf('baseId'), title])
    await loadLibrary(server.context)
    expect(await read(plain)).toEqual({ own: [], keys: ['baseId'] })
    expect(await read(below)).toEqual({ own: [], keys: ['baseId'] })
    expect(await read(referred)).toEqual({ own: [['id', 'hasA']], keys: ['baseId'] })
    expect(await read(chosen)).toEqual({ own: [['mrn', 'hasA']], keys: ['baseId'] })
    expect(await lastEntry('Plain')).toBe(
      'The automatic key "id" of Plain was left out: it inherits the key "baseId" from Base.',
    )
    expect(await lastEntry('Chosen')).toBe(
      '"mrn" became an ordinary attribute of Chosen, which inherits the key "baseId" from Base.',
    )

    writeBase([title])
    await loadLibrary(server.context)
    expect(await read(plain)).toEqual({ own: [['id', 'identifiedBy']], keys: ['id'] })
    expect(await read(below)).toEqual({ own: [], keys: ['id'] })
    expect(await read(chosen)).toEqual({
      own: [
        ['id', 'identifiedBy'],
        ['mrn', 'hasA'],
      ],
      keys: ['id'],
    })
    // The ordinary attribute "id" is not a key.
    expect(await read(referred)).toEqual({ own: [['id', 'hasA']], keys: [] })
    expect(await lastEntry('Plain')).toBe('Plain now has the automatic key "id": its former key was removed.')
  })

  it('a subtype of a library entity has one key after the library replaces a key with references', async () => {
    writeBase([keyOf('baseId'), title])
    await loadLibrary(server.context)
    const base = await idOf('Base')
    const id = await create('RefersToBase', { entityAttributes: [aRelationship({ id: base }, 'ownBaseId', 'baseId')] })
    writeBase([keyOf('baseNumber'), title])
    await loadLibrary(server.context)
    expect(await read(base)).toMatchObject({ keys: ['baseNumber'] })
    const attributes = (await designer.call(getEntity, { params: { id: base } })).entity.typeAttributes
    // Foreign keys that refer to it need a unique target.
    expect(attributes).toContainEqual(expect.objectContaining({ name: 'baseId', purpose: 'hasA', unique: true }))
    const { entityAttributes } = (await designer.call(getEntity, { params: { id } })).entity
    expect(entityAttributes).toMatchObject([{ associatedEntityTypeAttribute: 'baseId' }])
  })

  it('a subtype of a library entity has one key after the library gives an entity with a referenced key a parent with a key', async () => {
    writeBase([title])
    writeMiddle([keyOf('middleId')], false)
    await loadLibrary(server.context)
    const middle = await idOf('Middle')
    await create('RefersToMiddle', { entityAttributes: [aRelationship({ id: middle }, 'ownMiddleId', 'middleId')] })
    writeBase([keyOf('baseId'), title])
    writeMiddle([])
    await loadLibrary(server.context)
    expect(await read(middle)).toEqual({ own: [['middleId', 'hasA']], keys: ['baseId'] })
  })

  it('a subtype of a library entity has one key after the library gives an entity a key and takes a referenced one from its parent', async () => {
    writeBase([keyOf('partyId'), title])
    writeMiddle([])
    await loadLibrary(server.context)
    const [base, middle] = [await idOf('Base'), await idOf('Middle')]
    await create('RefersToParty', { entityAttributes: [aRelationship({ id: base }, 'ownPartyId', 'partyId')] })
    writeBase([title])
    writeMiddle([keyOf('memberId')])
    await loadLibrary(server.context)
    expect(await read(base)).toMatchObject({ keys: ['partyId'] })
    expect((await read(middle)).own).toContainEqual(['memberId', 'hasA'])
    expect(await read(middle)).toMatchObject({ keys: ['partyId'] })
  })
})
