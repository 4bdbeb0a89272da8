import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  createEntity,
  deleteEntity,
  exportEntity,
  getEntity,
  importEntity,
  updateEntity,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { newEntityContent, noScopes } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, addPredefined, aRelationship, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('Entities as files', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let elsewhere: ConsoleClient
  let unit: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    elsewhere = server.bootstrap('GLOBEX')
    unit = await addPredefined(server, { name: 'TestUnit' })
  })
  afterAll(() => server.stop())

  const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
  const file = (value: unknown, name = 'x.json') => ({ files: { entityFile: { name, bytes: bytes(value) } } })
  const bare = ({ typeAttributes, entityAttributes }: EntityAnswer) => ({ typeAttributes, entityAttributes })
  const aProduct = async (name: string) => {
    const typeAttributes = [
      { name: 'code', maxLength: 8, choices: ['a', 'b'], isNullable: true, description: 'A code.' },
    ]
    const entityAttributes = [aRelationship({ id: unit }, 'unitId')]
    const body = { entity: { name, description: 'Sold.', typeAttributes, entityAttributes } }
    return (await designer.call(createEntity, { body })).entity
  }

  it('exports an entity as a document with a file name', holds('E7.65', 'E7.66', 'E7.67', 'E7.69'), async () => {
    const { id, uid } = await aProduct('Exported')
    const answer = await designer.call(exportEntity, { params: { id } })
    expect(answer).toMatchObject({ fileName: 'Exported.json', result: 'OK', message: 'Exported entity: Exported' })
    expect(answer.entityDoc).toMatchObject({ entity: { name: 'Exported', uid }, path: 'user-defined/Exported' })
  })

  it('allows all users to create, change, version, export, delete and import an entity', holds('E6.9'), async () => {
    const made = await aProduct('Everyday')
    const params = { id: made.id }
    const body = saveBody(made, { description: 'Changed.' })
    const { entity: changed } = await designer.call(updateEntity, { params, body, ifMatch: '*' })
    expect(changed.description).toBe('Changed.')
    await designer.call(addEntityVersion, { params, query: { version: '1.1.0' } })
    expect((await designer.call(getEntity, { params })).entity.versions).toEqual(['1.1.0', '1.0.0'])
    const { entityDoc } = await designer.call(exportEntity, { params })
    await designer.call(deleteEntity, { params })
    expect((await designer.refusal(getEntity, { params })).status).toBe(404)
    const { entity: back } = await designer.call(importEntity, file(entityDoc))
    expect(back).toMatchObject({ name: 'Everyday', uid: made.uid, description: 'Changed.' })
  })

  it('exports the same document again after an import', holds('E7.65', 'E7.66', 'E7.67'), async () => {
    const { entity: target } = await designer.call(createEntity, { body: { entity: { name: 'Pointed' } } })
    const reference = { id: -1, uid: target.uid, name: 'Pointed', path: target.path }
    const [key] = target.typeAttributes
    const traits = [{ traitReference: 'is.identifiedBy', arguments: ['x'] }]
    const content = newEntityContent({
      name: 'Whole',
      description: 'All that an entity may be.',
      extendsEntity: reference,
      referenceImportPaths: ['cdm:/foundations.cdm.json', '/Pointed.cdm.json'],
      traits,
      typeAttributes: [
        newTypeAttribute({
          name: 'code',
          purpose: 'namedBy',
          maxLength: 8,
          choices: ['a', 'b'],
          defaultValue: 'a',
          position: 0,
        }),
        newTypeAttribute({ name: 'price', dataType: 'double', precision: 12, scale: 2, nullable: true, position: 2 }),
        newTypeAttribute({ name: 'day', dataType: 'dateTime', format: 'date', unique: true, traits, position: 3 }),
        newTypeAttribute({
          name: 'rank',
          dataType: 'integer',
          format: 'int16',
          indexed: true,
          description: 'R.',
          position: 4,
        }),
      ],
      entityAttributes: [
        newEntityAttribute({
          associatedEntity: reference,
          associatedEntityTypeAttribute: 'id',
          associatedEntityTypeAttributeUid: key?.uid ?? null,
          foreignKeyTypeAttribute: 'pointedId',
          foreignKeyPurpose: 'orderedBy',
          description: 'Where it points.',
          nullable: false,
          unique: true,
          onDelete: 'cascade',
          alternativeTargets: [{ entity: reference, attribute: 'id' }],
          traits,
          position: 1,
        }),
      ],
      operationScopes: { ...noScopes, selectOperationScopes: ['read'], updateOperationScopes: ['write', 'all'] },
    })
    const input = {
      document: 'cadmus-entity',
      format: 1,
      version: '2.1.0',
      path: 'user-defined/Whole',
      entity: content,
    }
    const { entity } = await designer.call(importEntity, file(input))
    const { entityDoc, fileName } = await designer.call(exportEntity, { params: { id: entity.id } })
    expect(fileName).toBe('Whole.json')
    expect(entityDoc).toMatchObject(input)
    const pointed = await designer.call(exportEntity, { params: { id: target.id } })
    await elsewhere.call(importEntity, file(pointed.entityDoc))
    const there = await elsewhere.call(importEntity, file(entityDoc))
    expect(there.report).toEqual([])
    const again = await elsewhere.call(exportEntity, { params: { id: there.entity.id } })
    expect(again.entityDoc).toEqual(entityDoc)
  })

  it('imports an entity elsewhere without loss, with uids and references', holds('E7.46'), async () => {
    const product = await aProduct('Travelling')
    const { entityDoc, fileName } = await designer.call(exportEntity, { params: { id: product.id } })
    const { answer, etag } = await elsewhere.callWithTag(importEntity, file(entityDoc, fileName))
    expect(answer.report).toEqual([])
    expect(answer.entity).toMatchObject({
      name: 'Travelling',
      uid: product.uid,
      description: 'Sold.',
      targetManifest: null,
    })
    expect(bare(answer.entity)).toEqual(bare(product))
    const read = await elsewhere.callWithTag(getEntity, { params: { id: answer.entity.id } })
    expect(read).toEqual({ answer: { entity: answer.entity }, etag })
  })

  it('decisions §2 an imported entity whose uid is in use becomes a copy, and the report contains this', async () => {
    const product = await aProduct('Twin')
    const { entityDoc } = await designer.call(exportEntity, { params: { id: product.id } })
    const targetManifest = await addManifest(server, 'Twins')
    const { entity, report } = await designer.call(importEntity, { query: { targetManifest }, ...file(entityDoc) })
    expect(entity.uid).not.toBe(product.uid)
    expect(entity.copiedFrom).toBe(product.uid)
    expect(report).toEqual([{ severity: 'info', path: 'uid', message: messages.importedAsCopy }])
  })

  it(
    'an import accepts the manifest in the form or the query; -1 means no manifest',
    holds('E7.47', 'E7.48', 'E7.49'),
    async () => {
      const targetManifest = await addManifest(server, 'Imports')
      const doc = async (name: string) => {
        const { id } = await aProduct(name)
        return file((await designer.call(exportEntity, { params: { id } })).entityDoc)
      }
      const byQuery = await designer.call(importEntity, { query: { targetManifest }, ...(await doc('ByQuery')) })
      expect(byQuery.entity).toMatchObject({
        targetManifest: { name: 'Imports' },
        path: 'user-defined/Imports/ByQuery',
      })
      const fields = { targetManifest: String(targetManifest) }
      const byForm = await designer.call(importEntity, { fields, ...(await doc('ByForm')) })
      expect(byForm.entity.targetManifest?.id).toBe(targetManifest)
      const none = await elsewhere.call(importEntity, { fields: { targetManifest: '-1' }, ...(await doc('ByNone')) })
      expect(none.entity.targetManifest).toBeNull()
      const wrong = await designer.refusal(importEntity, { fields: { targetManifest: 'x' }, ...(await doc('ByWrong')) })
      expect(wrong.status).toBe(400)
      const foreign = await elsewhere.refusal(importEntity, { query: { targetManifest }, ...(await doc('Foreign')) })
      expect(foreign.status).toBe(404)
      expect((await designer.refusal(importEntity, { files: {} })).status).toBe(400)
    },
  )

  it('rejects a name in use and imports nothing', async () => {
    const product = await aProduct('Doubled')
    const { entityDoc } = await designer.call(exportEntity, { params: { id: product.id } })
    const refusal = await designer.refusal(importEntity, file(entityDoc))
    expect(refusal).toMatchObject({ status: 400, answer: { message: messages.entityExists('Doubled') } })
  })

  it('reads a CDM document and reports missing targets', async () => {
    const document = {
      jsonSchemaSemanticVersion: '1.1.0',
      imports: [{ corpusPath: 'cdm:/foundations.cdm.json' }],
      definitions: [
        {
          entityName: 'Reading',
          hasAttributes: [
            { name: 'readingId', dataType: 'entityId', purpose: 'identifiedBy' },
            { name: 'value', dataType: 'double' },
          ],
        },
      ],
    }
    const { entity } = await designer.call(importEntity, file(document, 'Reading.cdm.json'))
    expect(entity.typeAttributes.map(item => item.name)).toEqual(['readingId', 'value'])
  })

  it('decisions §3 imported content that breaks a name rule is kept and reported', async () => {
    const product = await aProduct('Plain')
    const { entityDoc } = await designer.call(exportEntity, { params: { id: product.id } })
    const text = JSON.stringify(entityDoc)
      .replaceAll('"Plain"', JSON.stringify('Odd\u0000 näme__🙂'))
      .replaceAll('"code"', '"c"')
    const { entity, report } = await elsewhere.call(importEntity, file(text))
    expect(entity.name).toBe('Odd\u0000 näme__🙂')
    expect(entity.typeAttributes[1]?.name).toBe('c')
    expect(report.map(line => [line.severity, line.path])).toEqual([
      ['warning', 'name'],
      ['warning', 'typeAttributes.c.name'],
    ])
    expect((await elsewhere.call(getEntity, { params: { id: entity.id } })).entity.name).toBe(entity.name)
  })

  it.each([
    ['no JSON', '{"entity": '],
    ['empty', ''],
    ['a list', '[]'],
    ['another document', '{"manifestName": "x"}'],
    ['our document without an entity', '{"document":"cadmus-entity","format":1}'],
    ['a deep one', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['binary', '\u0000\u0001\u0002PK\u0003\u0004'],
  ])('rejects %s with a message', async (_, text) => {
    const refusal = await designer.refusal(importEntity, file(text))
    expect(refusal.status).toBe(400)
    expect(refusal.answer.message.length).toBeGreaterThan(10)
    expect(refusal.answer.code).not.toBe('internal')
  })

  it('rejects other kinds of files and oversized ones', async () => {
    expect((await designer.refusal(importEntity, file('{}', 'x.exe'))).status).toBe(415)
    const large = `{"document":"${' '.repeat(6_000_000)}"}`
    expect((await designer.refusal(importEntity, file(large))).status).toBe(413)
  })
})
