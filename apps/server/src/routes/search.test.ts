import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, deleteEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest, deleteManifest, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { type Match, searchAnything, searchLimits } from '@cadmus/model/contract/search'
import { noScopes } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { clearPendingDeletion, hideEntities } from '../store/pending-deletion.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, type EntityBody, organisationId, saveBody } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'

describeOnBothStores('The search for anything', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  const create = async (entity: EntityBody['entity'], targetManifestId = -1) =>
    (await designer.call(createEntity, { body: { entity, targetManifestId } })).entity
  const search = async (text: string, limit?: number, client = designer) =>
    client.call(searchAnything, { query: { search: text, ...(limit === undefined ? {} : { limit }) } })
  const words = ({ kind, document, row, text, detail, marks }: Match) =>
    [
      `${kind} in ${document.kind} ${document.name}${row ? `.${row.name}` : ''}: `,
      marks.reduceRight(
        (marked, [start, end]) => `${marked.slice(0, start)}[${marked.slice(start, end)}]${marked.slice(end)}`,
        text,
      ),
      detail === '' ? '' : ` (${detail})`,
    ].join('')
  const result = async (text: string, limit?: number, client = designer) =>
    (await search(text, limit, client)).matches.map(words)

  it('finds names, relationships, choices, scopes and descriptions with their places', async () => {
    const depot = await create({ name: 'ZzDepot', description: 'Where zzgoods wait' })
    const ramp = await create({
      name: 'Ramp',
      typeAttributes: [
        { name: 'zzState', description: 'Whether the ramp is free', choices: ['zzgoods on it', 'free'] },
      ],
      entityAttributes: [{ ...aRelationship(depot, 'place'), description: 'The zzgoods come from here' }],
      operationScopes: {
        ...noScopes,
        deleteOperationScopes: ['ramp.zzgoods'],
        selectOperationScopes: ['ramp.zzgoods'],
      },
    })
    expect((await result('zzgoods')).toSorted()).toEqual([
      'choice in entity Ramp.zzState: [zzgoods] on it',
      'description in entity Ramp.place: The [zzgoods] come from here',
      'description in entity ZzDepot: Where [zzgoods] wait',
      'scope in entity Ramp: ramp.[zzgoods] (select, delete)',
    ])
    expect(await result('ZZDEPOT')).toEqual([
      'entity in entity ZzDepot: [ZzDepot]',
      'relationship in entity Ramp.place: place (ZzDepot)',
    ])
    expect(await result('zzst')).toEqual(['attribute in entity Ramp.zzState: [zzSt]ate'])
    const { matches } = await search('place')
    expect(matches).toContainEqual(
      expect.objectContaining({
        kind: 'relationship',
        document: {
          kind: 'entity',
          id: ramp.id,
          name: 'Ramp',
          path: 'user-defined/Ramp',
          folder: 'user-defined',
          type: 'EXCLUSIVE',
        },
        row: { kind: 'entityAttribute', uid: ramp.entityAttributes[0]?.uid, name: 'place' },
        rank: 0,
      }),
    )
  })

  it('ranks exact names, prefixes, starts of words and parts of words in this order', async () => {
    for (const name of ['Reqqorder', 'Myqqorder', 'PurchaseQqorder', 'QqorderLine', 'Qqorder']) await create({ name })
    const names = (await search('qqorder')).matches
      .filter(({ kind }) => kind === 'entity')
      .map(match => [match.text, match.rank])
    expect(names).toEqual([
      ['Qqorder', 0],
      ['QqorderLine', 1],
      ['PurchaseQqorder', 2],
      ['Myqqorder', 3],
      ['Reqqorder', 3],
    ])
    expect((await search('line qqorder')).matches.map(match => match.text)).toEqual(['QqorderLine'])
    const three = (await search('qqorder', 3)).matches
    expect(three.filter(({ kind }) => kind === 'entity').map(match => match.text)).toEqual([
      'Qqorder',
      'QqorderLine',
      'PurchaseQqorder',
    ])
  })

  it('several words must be in one text; one of them may name a document with a command', async () => {
    await create({
      name: 'Kkclinic',
      description: 'kkfirst words here',
      typeAttributes: [{ name: 'note', description: 'kksecond words' }],
    })
    expect(await result('words kkfi')).toEqual(['description in entity Kkclinic: [kkfi]rst [words] here'])
    expect(await result('kkfirst kksecond')).toEqual([])
    const { named } = await search('kkclinic publish again')
    expect(named.map(({ kind, name }) => [kind, name])).toEqual([['entity', 'Kkclinic']])
    expect((await search('kkclinic')).named).toEqual([])
  })

  it('follows changes, and finds nothing of deleted entities', async () => {
    const entity = await create({
      name: 'Crane',
      description: 'mmbefore',
      typeAttributes: [{ name: 'reach', description: 'mmlength' }],
    })
    const change = async (changes: Partial<EntityBody['entity']>) => {
      const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: entity.id } })
      await designer.call(updateEntity, {
        params: { id: entity.id },
        body: saveBody(answer.entity, changes),
        ifMatch: etag,
      })
    }
    await change({ description: 'mmafter' })
    expect([await result('mmbefore'), await result('mmafter')]).toEqual([
      [],
      ['description in entity Crane: [mmafter]'],
    ])
    await change({ typeAttributes: [{ name: 'other' }] })
    expect([await result('mmlength'), await result('mmafter')]).toEqual([
      [],
      ['description in entity Crane: [mmafter]'],
    ])
    await designer.call(deleteEntity, { params: { id: entity.id } })
    expect([await result('mmafter'), await result('Crane')]).toEqual([[], []])
  })

  it('finds imported entities, and none of a manifest that is being deleted', async () => {
    const bytes = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
    const { manifest } = await designer.call(importManifest, { files: { manifestFile: { name: 'clinic.zip', bytes } } })
    const own = async () =>
      (await search('owner', 20)).matches.filter(({ document }) =>
        document.path.startsWith(`user-defined/${manifest.name}`),
      )
    const kinds = new Set((await own()).map(({ kind }) => kind))
    expect([...kinds]).toEqual(expect.arrayContaining(['entity', 'relationship', 'description']))
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    await hideEntities(db, organisation, { manifestId: manifest.id, jobId: 1 })
    expect((await own()).filter(({ document }) => document.kind === 'entity')).toEqual([])
    await clearPendingDeletion(db, organisation, 1)
    expect((await own()).length).toBeGreaterThan(0)
    await designer.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'keep' } })
    expect(await own()).toEqual([])
    const left = await db
      .selectFrom('search_text')
      .select('document_id')
      .where('organisation_id', '=', organisation)
      .where('document_id', '=', manifest.id)
      .execute()
    expect(left).toEqual([])
  })

  it('finds the scopes that a configuration defines', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Scoped' } })
    const params = { id: manifest.id }
    const configure = async (scopeDefinitions: string[]) => {
      const body = { configurationBuild: { apiScopeConfiguration: { scopeDefinitions } } }
      await designer.call(saveManifestConfiguration, { params, body, ifMatch: '*' })
    }
    await configure(['harbour:ppread', 'harbour:ppwrite'])
    expect(await result('ppread')).toEqual(['scope in configuration Scoped: harbour:[ppread]'])
    await configure(['harbour:ppwrite'])
    expect(await result('ppread')).toEqual([])
    await designer.call(deleteManifest, { params })
    expect(await result('ppwrite')).toEqual([])
  })

  it('finds own matches first, then those of the library, and own scopes of predefined entities', async () => {
    const id = await addPredefined(server, {
      name: 'NnShip',
      description: 'nndeep',
      typeAttributes: [newTypeAttribute({ name: 'nndraught', position: 0 })],
    })
    await create({ name: 'OurNnShip', description: 'Ours is nndeep too', typeAttributes: [{ name: 'ournndraught' }] })
    const documents = async (text: string) => (await search(text)).matches.map(match => match.document.name)
    expect(await documents('nnship')).toEqual(['OurNnShip', 'NnShip'])
    expect(await documents('nndeep')).toEqual(['OurNnShip', 'NnShip'])
    expect(await documents('nndraught')).toEqual(['OurNnShip', 'NnShip'])
    const { answer, etag } = await admin.callWithTag(getEntity, { params: { id } })
    const body = saveBody(answer.entity, { operationScopes: { ...noScopes, insertOperationScopes: ['nnlaunch'] } })
    await admin.call(updateEntity, { params: { id }, body, ifMatch: etag })
    expect(await result('nnlaunch')).toEqual(['scope in entity NnShip: [nnlaunch] (insert)'])
    const stranger = await server.as('admin', 'CADMUS')
    expect(await result('nnlaunch', 8, stranger)).toEqual([])
    expect(await result('nndeep', 8, stranger)).toEqual(['description in entity NnShip: [nndeep]'])
    expect(await result('ournnship', 8, stranger)).toEqual([])
  })

  it('answers a bounded number of matches of each kind', async () => {
    const typeAttributes = Array.from({ length: 30 }, (_, at) => ({
      name: `vvmany${at}`,
      description: 'vvmany',
      choices: ['vvmany'],
    }))
    await create({ name: 'Vvmany', typeAttributes })
    const counts = (matches: readonly Match[]) =>
      Object.values(Object.groupBy(matches, ({ kind }) => kind)).map(list => list?.length)
    expect(counts((await search('vvmany')).matches)).toEqual([1, 8, 8, 8])
    expect(counts((await search('vvmany', searchLimits.matches.max)).matches)).toEqual([1, 20, 20, 20])
    const refusal = await designer.refusal(searchAnything, { query: { search: 'a', limit: 1000 } })
    expect(refusal.status).toBe(400)
  })

  it('matches hostile texts literally, in bounded time', async () => {
    await create({ name: 'Hostile', description: 'hh%_\\ "quoted" \'single\' & | ! :* (x) 😀' })
    expect(await result('"quoted" hh')).toEqual([
      'description in entity Hostile: [hh]%_\\ ["quoted"] \'single\' & | ! :* (x) 😀',
    ])
    for (const text of [
      'hh%',
      'hh_',
      "' or 1=1 --",
      '\uD800',
      '"',
      "'",
      '& | !',
      ':*',
      '('.repeat(200),
      `${'x '.repeat(100)}`,
      '%',
      'e'.repeat(200),
    ])
      expect((await search(text)).matches.filter(({ kind }) => kind === 'entity' && text.includes('hh'))).toEqual([])
    expect((await designer.refusal(searchAnything, { query: { search: 'x'.repeat(201) } })).status).toBe(400)
  })

  it('indexes a large entity in several parts', async () => {
    const typeAttributes = Array.from({ length: 100 }, (_, at) => ({
      name: `column${at}`,
      description: `${randomUUID()} ${'filler '.repeat(60)} ccword${at}`,
    }))
    const entity = await create({ name: 'Large', typeAttributes })
    expect(await result('ccword99')).toHaveLength(1)
    const organisation = await organisationId(server)
    const parts = await server.context.store
      .of(organisation)
      .selectFrom('search_text')
      .select('part')
      .where('organisation_id', '=', organisation)
      .where('document_id', '=', entity.id)
      .execute()
    expect(parts.length).toBeGreaterThan(1)
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: entity.id } })
    const body = saveBody(answer.entity, {
      typeAttributes: answer.entity.typeAttributes
        .slice(0, 3)
        .map(({ uid, name, dataType, purpose }) => ({ uid, name, dataType, purpose })),
    })
    await designer.call(updateEntity, { params: { id: entity.id }, body, ifMatch: etag })
    expect(await result('ccword99')).toEqual([])
  })
})
