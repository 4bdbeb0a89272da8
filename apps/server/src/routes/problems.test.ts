import type { CallInput } from '@cadmus/model/contract/call'
import { createEntity, deleteEntity, getEntity } from '@cadmus/model/contract/entity'
import { createManifest } from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { findFixes, findProblems } from '@cadmus/model/contract/problems'
import { configurationEdits } from '@cadmus/model/contract/edits'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { limits } from '@cadmus/model/limits'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

type Body = Partial<CallInput<typeof findProblems>['body']>

describeOnBothStores('Problems with unsaved edits', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const manifest = async (manifestName: string, exclusiveEntities: string[]) => {
    const { manifest: made } = await designer.call(createManifest, { body: { manifestName, exclusiveEntities } })
    const [first = { id: -1 }, ...others] = made.entityPaths
    return { id: made.id, first: first.id, others: others.map(({ id }) => id) }
  }
  const find = async (id: number, body: Body = {}) =>
    designer.call(findProblems, { params: { id }, body: { entities: [], ...body } })
  const codes = async (id: number, body: Body = {}) =>
    (await find(id, { list: { entity: null }, ...body })).problems?.map(({ code }) => code)
  const edited = (id: number, ...edits: EntityEdit[]): Body => ({ entities: [{ id, edits }] })
  const rename = (name: string): EntityEdit => ({ kind: 'changeEntity', change: { name } })

  it('are those of the edits, and an unchanged answer is not sent again', async () => {
    const { id, first, others } = await manifest('Market', ['Customer', 'Invoice'])
    const { tag, counts, problems } = await find(id)
    expect({ counts, problems }).toEqual({
      counts: { errors: 0, warnings: 0, entities: { ids: [], errors: [], warnings: [] } },
      problems: null,
    })
    expect(await find(id, { known: tag })).toMatchObject({ tag, counts: null })
    const broken = edited(first, rename('Customer__1'), {
      kind: 'addAttributes',
      added: [
        { item: newTypeAttribute({ name: 'note', dataType: 'integer', defaultValue: 'x', position: 1 }), before: null },
      ],
    })
    const now = await find(id, { ...broken, known: tag, list: { entity: null } })
    expect(now.counts).toEqual({ errors: 0, warnings: 2, entities: { ids: [first], errors: [0], warnings: [2] } })
    expect(now.problems?.map(({ code, field }) => [code, field])).toEqual([
      ['defaultType', 'defaultValue'],
      ['name', 'name'],
    ])
    expect(await find(id, { ...broken, list: { entity: others[0] ?? -1 } })).toMatchObject({ problems: [], more: 0 })
    // Nothing was stored.
    expect((await designer.call(validateManifest, { params: { id } })).problems).toEqual([])
    expect(await find(id)).toMatchObject({ tag })
  })

  it('follow unsaved renames in references and in the configuration', async () => {
    const { id, first, others } = await manifest('Renamed', ['Buyer', 'Bill'])
    const { entity } = await designer.call(getEntity, { params: { id: first } })
    const [key] = entity.typeAttributes
    const target = { id: first, name: entity.name, path: entity.path }
    const item = newEntityAttribute({
      associatedEntity: target,
      associatedEntityTypeAttribute: 'id',
      associatedEntityTypeAttributeUid: key?.uid ?? '',
      foreignKeyTypeAttribute: 'buyerId',
      position: 1,
    })
    const changes = [
      { path: ['configurationBuild', 'apiConfiguration', 'excludeOperations'], value: ['Buyer.get', 'Bill.id.get'] },
    ]
    const body: Body = {
      entities: [
        { id: others[0] ?? -1, edits: [{ kind: 'addRelationships', added: [{ item, before: null }] }] },
        {
          id: first,
          edits: [
            rename('Client'),
            { kind: 'changeAttributes', changes: [{ uid: key?.uid ?? '', change: { name: 'clientId' } }] },
          ],
        },
      ],
      configuration: [{ kind: 'changeConfiguration', changes }],
    }
    expect(await codes(id, body)).toEqual([])
    const other = [{ ...changes[0]!, value: ['Nobody.get'] }]
    expect(await codes(id, { ...body, configuration: [{ kind: 'changeConfiguration', changes: other }] })).toEqual([
      'exclusion',
    ])
  })

  it('consider targets outside the manifest, and edits of entities that are gone', async () => {
    const inside = await manifest('Inside', ['Room'])
    const outside = await manifest('Outside', ['House'])
    const { entity } = await designer.call(getEntity, { params: { id: outside.first } })
    const item = newEntityAttribute({
      associatedEntity: { id: outside.first, name: entity.name, path: entity.path },
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'houseId',
      position: 1,
    })
    const body = edited(inside.first, { kind: 'addRelationships', added: [{ item, before: null }] })
    expect(await codes(inside.id, body)).toEqual(['external'])
    const { entity: free } = await designer.call(createEntity, {
      body: { entity: { name: 'Free' }, targetManifestId: outside.id },
    })
    await designer.call(deleteEntity, { params: { id: free.id } })
    expect(
      await codes(inside.id, { entities: [...(body.entities ?? []), { id: free.id, edits: [rename('X')] }] }),
    ).toEqual(['external'])
  })

  it('are repaired by edits that solve them', async () => {
    const { id, first } = await manifest('Repaired', ['Person'])
    const { entity } = await designer.call(getEntity, { params: { id: first } })
    const [key] = entity.typeAttributes
    const broken = edited(first, { kind: 'removeAttributes', uids: [key?.uid ?? ''] })
    const body = { ...broken, entities: broken.entities ?? [], code: 'noKey' }
    const { fixes } = await designer.call(findFixes, { params: { id }, body })
    expect(fixes).toMatchObject([{ kind: 'addKey', count: 1, left: 0, entities: [{ id: first }], configuration: [] }])
    const edits = [...(broken.entities?.[0]?.edits ?? []), ...(fixes[0]?.entities[0]?.edits ?? [])]
    expect(await codes(id, { entities: [{ id: first, edits }] })).toEqual([])
    expect(await designer.call(findFixes, { params: { id }, body: { ...body, code: 'external' } })).toEqual({
      fixes: [],
    })
  })

  it('are repaired in the configuration, with the edits of a user', async () => {
    const { id, first } = await manifest('Scoped', ['Account'])
    const scopes: EntityEdit = { kind: 'changeScopes', change: { selectOperationScopes: ['read'] } }
    const body = { entities: [{ id: first, edits: [scopes] }], code: 'scope', place: { entity: first, value: 'read' } }
    const { fixes } = await designer.call(findFixes, { params: { id }, body })
    expect(fixes.map(({ label }) => label)).toEqual(['Define the Scope read', 'Remove the Scope read Here'])
    const edits = fixes[0]?.configuration ?? []
    expect(await codes(id, { entities: body.entities, configuration: edits })).toEqual([])
    // The edits can be saved.
    const saved = { format: editFormat, operationId: randomUUID(), base: '*', edits }
    await designer.call(configurationEdits.save, { params: { id }, body: saved })
    expect(await codes(id, { entities: body.entities })).toEqual([])
  })

  it('refuses unknown fields, too many drafts and manifests of others', async () => {
    const { id, first } = await manifest('Bounded', ['One'])
    const refusal = async (manifestId: number, body: object) => {
      const sent = { entities: [], ...body }
      const { status, answer } = await designer.refusal(findProblems, { params: { id: manifestId }, body: sent })
      return [status, answer.code]
    }
    expect(await refusal(id, { unknown: 1 })).toEqual([400, 'invalid'])
    const many = Array.from({ length: limits.unsavedDrafts + 1 }, (_, at) => ({ id: at + 1, edits: [] }))
    expect(await refusal(id, { entities: many })).toEqual([400, 'invalid'])
    expect(await refusal(999_999_999, {})).toEqual([404, 'not_found'])
    expect(await refusal(id, edited(first, rename('x'.repeat(2000))))).toEqual([400, 'too_large'])
  })
})
