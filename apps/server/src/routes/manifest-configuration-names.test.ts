import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Configuration, readConfiguration } from '@cadmus/model/configuration'
import { canonicalJson } from '@cadmus/model/content'
import { createEntity, deleteEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  createManifest,
  createManifestByWizard,
  getManifest,
  getManifestConfiguration,
  listManifestLogs,
  removeEntityFromManifest,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { putContent } from '../store/content.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { type EntityBody, organisationId, saveBody } from '../testing/entities.ts'

type Build = Configuration['configurationBuild']

describeOnBothStores.whenProving('Names in a configuration', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisation: number
  beforeAll(async () => {
    // The organisation of the test has the service options.
    server = await startConsole({ store, env: { CADMUS_SERVICE_ORGANISATION: 'ACME' } })
    designer = await server.as('designer')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  async function read(id: number) {
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
    return { configuration: readConfiguration(answer.manifestProperties), etag }
  }

  const save = (id: number, body: Configuration, ifMatch: string) =>
    designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch })

  async function configure(id: number, change: (build: Build) => void) {
    const { configuration, etag } = await read(id)
    change(configuration.configurationBuild)
    await save(id, configuration, etag)
  }

  /**
   * Returns all names of a configuration: entities and fields of queries, exclusions, entities of the source of truth.
   */
  function named({ configurationBuild: build }: Configuration) {
    return [
      ...build.aggregateQueries.map(
        ({ entity, columns }) => `${entity}: ${columns.map(({ field }) => field).join(' ')}`,
      ),
      ...build.apiConfiguration.excludeOperations,
      ...build.serviceConfiguration.sotEntities,
    ]
  }
  const names = async (id: number) => named((await read(id)).configuration)

  const column = (field: string) => ({ field, type: 'COUNT' as const, alias: `${field}Count` })
  const nameAll = (build: Build) => {
    build.aggregateQueries = [{ name: 'q', entity: 'Customer', columns: [column('id'), column('City')] }]
    build.apiConfiguration.excludeOperations = ['Customer.get', 'Customer.id.delete']
    build.serviceConfiguration.sotEntities = ['Customer']
  }
  const asSaved = ['Customer: id City', 'Customer.get', 'Customer.id.delete', 'Customer']

  let count = 0
  async function aManifest() {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Names${++count}` } })
    return manifest
  }

  const aCustomer = async (manifestId: number, name = 'Customer') => {
    const typeAttributes = [
      { name: 'id', dataType: 'integer' as const, purpose: 'identifiedBy' as const },
      { name: 'City', dataType: 'string' as const },
    ]
    const body = { entity: { name, typeAttributes }, targetManifestId: manifestId }
    return (await designer.call(createEntity, { body })).entity
  }

  /** Creates a manifest with an entity that its configuration names everywhere. */
  async function configured() {
    const manifest = await aManifest()
    const customer = await aCustomer(manifest.id)
    await configure(manifest.id, nameAll)
    return { manifest, customer }
  }

  async function change(id: number, edit: (entity: EntityBody['entity']) => void) {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    const body = saveBody(answer.entity)
    edit(body.entity)
    await designer.call(updateEntity, { params: { id }, body, ifMatch: etag })
  }

  const rename = (id: number, name: string) => change(id, entity => void (entity.name = name))
  const renameColumn = (id: number, from: string, to: string) =>
    change(id, ({ typeAttributes = [] }) => {
      for (const item of typeAttributes) if (item.name === from) item.name = to
    })

  const problems = async (manifestId: number) => {
    const answered = await designer.callWithTag(validateManifest, { params: { id: manifestId } }).catch(String)
    return typeof answered === 'string' ? answered : JSON.stringify(answered.answer)
  }

  it('names in a configuration follow a renamed entity, attribute and key, also back', async () => {
    const { manifest, customer } = await configured()
    expect(await names(manifest.id)).toEqual(asSaved)
    await rename(customer.id, 'Client')
    await renameColumn(customer.id, 'City', 'town')
    await renameColumn(customer.id, 'id', 'number')
    const renamed = ['Client: number town', 'Client.get', 'Client.number.delete', 'Client']
    expect(await names(manifest.id)).toEqual(renamed)
    const { manifest: answer } = await designer.call(getManifest, { params: { id: manifest.id } })
    expect(named(readConfiguration(answer.configuration))).toEqual(renamed)
    expect(await problems(manifest.id)).not.toMatch(/aggregate|exclusion/i)
    await rename(customer.id, 'Customer')
    await renameColumn(customer.id, 'town', 'City')
    await renameColumn(customer.id, 'number', 'id')
    expect(await names(manifest.id)).toEqual(asSaved)
  })

  it('names in a configuration keep their entity when another one takes its former name', async () => {
    const { manifest, customer } = await configured()
    await rename(customer.id, 'Client')
    const other = await aCustomer(manifest.id)
    expect((await names(manifest.id)).at(-1)).toBe('Client')
    await designer.call(deleteEntity, { params: { id: other.id } })
    expect((await names(manifest.id)).at(-1)).toBe('Client')
    await designer.call(deleteEntity, { params: { id: customer.id }, query: { onReferences: 'remove' } })
    expect(await names(manifest.id)).toEqual([])
  })

  it('names in a configuration are reported and cleaned by a deletion under their current form', async () => {
    const { manifest, customer } = await configured()
    await rename(customer.id, 'Client')
    const { status, answer } = await designer.refusal(deleteEntity, { params: { id: customer.id } })
    expect(status).toBe(409)
    expect(answer.references?.map(({ kind, item }) => `${kind} ${item}`)).toEqual([
      'aggregateQuery q',
      'excludedOperation Client.get',
      'excludedOperation Client.id.delete',
      'sotEntity Client',
    ])
    await designer.call(deleteEntity, { params: { id: customer.id }, query: { onReferences: 'keep' } })
    expect(await names(manifest.id)).toEqual([])
  })

  it('names in a configuration refer to the copies in a duplicate of the manifest', async () => {
    const { manifest, customer } = await configured()
    await rename(customer.id, 'Client')
    const body = { manifestName: `Names${++count}`, duplicateManifest: manifest.id }
    const { manifest: copy } = await designer.call(createManifestByWizard, { body })
    const [copied] = copy.entityPaths
    expect(copied?.id).not.toBe(customer.id)
    await rename(customer.id, 'Original')
    await rename(copied?.id ?? -1, 'Copied')
    await renameColumn(copied?.id ?? -1, 'City', 'place')
    expect(await names(copy.id)).toEqual(['Copied: id place', 'Copied.get', 'Copied.id.delete', 'Copied'])
    expect((await names(manifest.id))[0]).toBe('Original: id City')
  })

  it('names in the configuration of a version are unchanged by later renames', async () => {
    const { manifest, customer } = await configured()
    await rename(customer.id, 'Client')
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '1.0.1' } })
    await rename(customer.id, 'Buyer')
    const query = { version: manifest.latestVersion }
    const { manifest: frozen } = await designer.call(getManifest, { params: { id: manifest.id }, query })
    expect(named(readConfiguration(frozen.configuration)).at(-1)).toBe('Client')
    expect((await names(manifest.id)).at(-1)).toBe('Buyer')
  })

  it('names in a save from before a rename keep their meaning without conflict', async () => {
    const { manifest, customer } = await configured()
    const started = await read(manifest.id)
    await rename(customer.id, 'Client')
    await renameColumn(customer.id, 'City', 'town')
    started.configuration.configurationBuild.serviceConfiguration.applySot = true
    await save(manifest.id, started.configuration, started.etag)
    expect(await names(manifest.id)).toEqual(['Client: id town', 'Client.get', 'Client.id.delete', 'Client'])

    const older = await read(manifest.id)
    await rename(customer.id, 'Buyer')
    await configure(manifest.id, build => void (build.apiConfiguration.excludeOperations = ['Buyer.post']))
    older.configuration.configurationBuild.sqlConfiguration.applyJoin = true
    await save(manifest.id, older.configuration, older.etag)
    expect(await names(manifest.id)).toEqual(['Buyer: id town', 'Buyer.post', 'Buyer'])
    expect((await read(manifest.id)).configuration.configurationBuild.sqlConfiguration.applyJoin).toBe(true)
  })

  it('names of missing objects are kept and reported by validation; they refer to a later object of that name', async () => {
    const manifest = await aManifest()
    await configure(manifest.id, nameAll)
    await aCustomer(manifest.id, 'Other')
    expect(await names(manifest.id)).toEqual(asSaved)
    expect(await problems(manifest.id)).toContain('Customer')
    const late = await aCustomer(manifest.id)
    await rename(late.id, 'Client')
    await renameColumn(late.id, 'City', 'town')
    expect(await names(manifest.id)).toEqual(['Client: id town', 'Client.get', 'Client.id.delete', 'Client'])
    const { manifestLogs } = await designer.call(listManifestLogs, { query: {} })
    const reported = `The configuration of manifest ${manifest.name} now follows renames.`
    expect(manifestLogs.filter(({ DESCRIPTION }) => DESCRIPTION === reported)).toHaveLength(1)
  })

  it('survive the temporary removal of an entity from the manifest', async () => {
    const { manifest, customer } = await configured()
    const other = await aManifest()
    const admin = await server.as('admin', 'ACME')
    const place = { entityIds: [customer.id], type: 'TEMPLATE' as const }
    await admin.call(addEntitiesToManifest, { params: { id: other.id }, body: place })
    await configure(other.id, nameAll)
    await designer.call(removeEntityFromManifest, { params: { id: other.id, entityId: customer.id } })
    await rename(customer.id, 'Client')
    expect((await names(other.id))[0]).toBe('Client: id City')
    await configure(other.id, build => void (build.serviceConfiguration.applySot = true))
    await rename(customer.id, 'Buyer')
    expect((await names(other.id))[0]).toBe('Buyer: id City')
    expect((await names(manifest.id))[0]).toBe('Buyer: id City')
  })

  it('stored by an older console follow renames too', async () => {
    const { manifest, customer } = await configured()
    const { configuration } = await read(manifest.id)
    const db = server.context.store.of(organisation)
    const former = await putContent(db, organisation, canonicalJson(configuration))
    await db
      .updateTable('manifest')
      .set({ configuration_hash: former })
      .where('organisation_id', '=', organisation)
      .where('id', '=', manifest.id)
      .execute()
    expect(await names(manifest.id)).toEqual(asSaved)
    await renameColumn(customer.id, 'id', 'number')
    await rename(customer.id, 'Client')
    expect(await names(manifest.id)).toEqual(['Client: number City', 'Client.get', 'Client.number.delete', 'Client'])
  })

  it('names of inherited attributes follow a rename in the declaring entity', async () => {
    const base = await aManifest()
    const parent = await aCustomer(base.id, 'Party')
    const manifest = await aManifest()
    const entity = { name: 'Customer', extendsEntity: { id: parent.id }, typeAttributes: [] }
    await designer.call(createEntity, { body: { entity, targetManifestId: manifest.id } })
    await configure(manifest.id, nameAll)
    await renameColumn(parent.id, 'City', 'town')
    expect((await names(manifest.id))[0]).toBe('Customer: id town')
  })
})
