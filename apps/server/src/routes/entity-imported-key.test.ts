import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import { createEntity, deleteEntity, exportEntity, getEntity, importEntity } from '@cadmus/model/contract/entity'
import { importManifest, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { automaticKey, newEntityContent } from '@cadmus/model/entity'
import { entityDocument } from '@cadmus/model/entity-document'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Keys of imported entities', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let count = 0
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const contact = async () => {
    const typeAttributes = [{ name: 'contactId', dataType: 'integer' as const, purpose: 'identifiedBy' as const }]
    const body = { entity: { name: `Contact${++count}`, typeAttributes } }
    return (await designer.call(createEntity, { body })).entity
  }
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const fileOf = (value: unknown) => ({ files: { entityFile: { name: 'x.json', bytes: bytes(value) } } })
  const subtypeOf = (path: string, typeAttributes: ReturnType<typeof newTypeAttribute>[]) => {
    const extendsEntity = { id: -1, name: 'Contact', path }
    const content = newEntityContent({ name: `Patient${++count}`, extendsEntity, typeAttributes })
    return entityDocument(content, { path: `user-defined/${content.name}`, version: '1.0.0' })
  }
  const columns = async (id: number) => {
    const { entity } = await designer.call(getEntity, { params: { id } })
    const keys = entity.resolvedAttributes?.filter(column => column.isPrimaryKey).map(({ name }) => name)
    return { own: entity.typeAttributes.map(({ name, unique }) => [name, unique]), keys }
  }
  const mrn = () => newTypeAttribute({ name: 'mrn', purpose: 'identifiedBy', position: 0 })

  it('an automatic key in an entity file is dropped, another one becomes an ordinary attribute, with a report', async () => {
    const { name, path } = await contact()
    const automatic = await designer.call(importEntity, fileOf(subtypeOf(path, [automaticKey()])))
    expect(await columns(automatic.entity.id)).toEqual({ own: [], keys: ['contactId'] })
    expect(automatic.report).toContainEqual({
      severity: 'warning',
      path: 'extendsEntity',
      message: `The automatic key "id" of ${automatic.entity.name} was left out: it inherits the key "contactId" from ${name}.`,
    })
    const chosen = await designer.call(importEntity, fileOf(subtypeOf(path, [mrn()])))
    expect(await columns(chosen.entity.id)).toEqual({ own: [['mrn', true]], keys: ['contactId'] })
    expect(chosen.report).toContainEqual({
      severity: 'warning',
      path: 'extendsEntity',
      message: `"mrn" became an ordinary attribute of ${chosen.entity.name}, which inherits the key "contactId" from ${name}.`,
    })
  })

  it('an entity imported before its base entity is adapted when that arrives', async () => {
    const parent = await contact()
    const { entityDoc } = await designer.call(exportEntity, { params: { id: parent.id } })
    await designer.call(deleteEntity, { params: { id: parent.id } })
    const documents = [subtypeOf(parent.path, [automaticKey()]), subtypeOf(parent.path, [mrn()])]
    const ids = []
    for (const document of documents) ids.push((await designer.call(importEntity, fileOf(document))).entity.id)
    const before = await Promise.all(ids.map(columns))
    expect(before.map(({ keys }) => keys)).toEqual([['id'], ['mrn']])
    await designer.call(importEntity, fileOf(entityDoc))
    expect(await Promise.all(ids.map(columns))).toEqual([
      { own: [], keys: ['contactId'] },
      { own: [['mrn', true]], keys: ['contactId'] },
    ])
  })

  it('a second key in a CDM folder becomes an ordinary attribute, and relationships use the inherited one', async () => {
    const attribute = (name: string, purpose = 'hasA') => ({ name, purpose, dataType: 'integer' })
    const entity = (entityName: string, hasAttributes: object[], extendsEntity?: string) => ({
      entityName,
      ...(extendsEntity === undefined ? {} : { extendsEntity }),
      hasAttributes,
    })
    const visitOf = {
      name: 'patient',
      entity: 'Patient',
      resolutionGuidance: { entityByReference: { allowReference: true } },
    }
    const definitions = [
      entity('Contact', [attribute('contactId', 'identifiedBy')]),
      entity('Patient', [attribute('id', 'identifiedBy'), attribute('note')], 'Contact'),
      entity('Nurse', [attribute('badge', 'identifiedBy')], 'Contact'),
      entity('Surgeon', [], 'Nurse'),
      entity('Visit', [attribute('visitId', 'identifiedBy'), visitOf]),
    ]
    const manifestName = `Clinic${++count}`
    const entities = definitions.map(({ entityName }) => ({ entityName, entityPath: `All.cdm.json/${entityName}` }))
    const archive = writeArchive(
      new Map([
        ['clinic.manifest.cdm.json', JSON.stringify({ manifestName, entities, subManifests: [] })],
        ['All.cdm.json', JSON.stringify({ definitions })],
      ]),
    )
    const { manifest, report } = await designer.call(importManifest, {
      files: { manifestFile: { name: 'clinic.zip', bytes: archive } },
    })
    const ids = new Map(manifest.entityPaths.map(({ id, name }) => [name, id]))
    const of = (name: string) => columns(ids.get(name) ?? -1)
    const note = ['note', false]
    expect(await of('Patient')).toEqual({ own: [['id', true], note], keys: ['contactId'] })
    expect(await of('Nurse')).toEqual({ own: [['badge', true]], keys: ['contactId'] })
    expect((await of('Surgeon')).keys).toEqual(['contactId'])
    expect(report.filter(({ message }) => message.includes('inherits the key')).map(({ message }) => message)).toEqual([
      '"id" became an ordinary attribute of Patient, which inherits the key "contactId" from Contact.',
      '"badge" became an ordinary attribute of Nurse, which inherits the key "contactId" from Contact.',
    ])
    expect(manifest.relationships).toMatchObject([{ toEntity: 'Patient', toEntityAttribute: 'contactId' }])
    const { problems } = await designer.call(validateManifest, { params: { id: manifest.id } })
    expect(problems.filter(({ code }) => code === 'twoKeys')).toEqual([])
  })
})
