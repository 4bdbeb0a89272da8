import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { entityRequest, entityUpdate } from '@cadmus/model/contract/entity-shapes'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { createEntity } from '../../commands/entity/create-entity.ts'
import { requestFromBody } from '../../commands/entity/update-entity.ts'
import { saveDocument } from '../../commands/save-documents.ts'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { openStore, type Store } from '../store.ts'
import { referenceLookup, refreshed } from '../entity-refresh.ts'
import { entityById } from '../entity.ts'
import { migrations } from './all.ts'

const organisation = 7
const [targetId, subtypeId, sourceId] = [900_001, 900_002, 900_003]

describeOnBothStores('A store from before references by uid', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store from before references by uid keeps references to renamed targets, and resolves open ones later', async () => {
    const settings = await emptyStore(kind, ends)
    const old = plain(settings)
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db: old, provider }).migrateTo('004-flat-cost')
    expect(error).toBeUndefined()
    const target = await fill(old)
    await old.destroy()

    const store = openStore(settings)
    ends.push(() => store.close())
    await store.migrate()
    const actor = { userId: 'u', userName: 'User', userEmail: '' }
    const change = { store, organisationId: organisation, actor, isAdmin: false }
    expect(await targetsOf(store)).toEqual(['Target.CODE', 'Heir.code', 'Lost.id'])
    const rename = async (name: string, attribute: string) => {
      const [code] = target.typeAttributes
      const typeAttributes = [{ uid: code?.uid, name: attribute }]
      const body = entityUpdate.parse({ entity: { name, typeAttributes } })
      const place = { kind: 'entity' as const, id: targetId, base: '*', version: undefined }
      await saveDocument(change, { ...place, ...requestFromBody(body, undefined) })
    }
    await rename('Target', 'number')
    await rename('Renamed', 'digits')
    expect(await targetsOf(store)).toEqual(['Renamed.digits', 'Heir.digits', 'Lost.id'])
    const lost = await createEntity(change, entityRequest.parse({ entity: { name: 'Lost' } }))
    const source = await entityById(store.of(organisation), organisation, sourceId)
    expect(source?.content.entityAttributes.map(item => item.associatedEntity.id)).toEqual([targetId, subtypeId, lost])
    expect(source?.resolved).toBe(1)
  })
})

/** The targets as answers show them. */
async function targetsOf(store: Store): Promise<string[]> {
  const db = store.of(organisation)
  const source = await entityById(db, organisation, sourceId)
  if (!source) throw new Error('The source is gone.')
  const { entityAttributes } = refreshed(source.content, await referenceLookup(db, organisation, [source.content]))
  return entityAttributes.map(item => `${item.associatedEntity.name}.${item.associatedEntityTypeAttribute}`)
}

/** Contents of format 1, which had only names and ids; returns the target's. */
async function fill(db: Kysely<unknown>): Promise<EntityContent> {
  await sql`insert into organisation (id, code, code_folded, name, licence_limits, created_at)
    values (${organisation}, 'SEVEN', 'seven', 'Seven', '', '')`.execute(db)
  const place = (id: number, name: string) => ({ id, name, path: `user-defined/${name}` })
  const relationship = (position: number, target: { id: number; name: string; path: string }, name: string) =>
    newEntityAttribute({
      associatedEntity: target,
      associatedEntityTypeAttribute: name,
      foreignKeyTypeAttribute: `key${position}`,
      position,
    })
  const target = newEntityContent({
    name: 'Target',
    typeAttributes: [newTypeAttribute({ name: 'code', position: 0 })],
  })
  const subtype = newEntityContent({ name: 'Heir', typeAttributes: [], extendsEntity: place(targetId, 'Target') })
  const source = newEntityContent({
    name: 'Source',
    entityAttributes: [
      relationship(1, place(targetId, 'Target'), 'CODE'),
      relationship(2, place(subtypeId, 'Heir'), 'code'),
      relationship(3, place(-1, 'Lost'), 'id'),
    ],
  })
  for (const [id, content] of [
    [targetId, target],
    [subtypeId, subtype],
    [sourceId, source],
  ] as const) {
    const { name, uid, extendsEntity } = content
    const entityAttributes = content.entityAttributes.map(({ associatedEntityTypeAttributeUid: _, ...item }) => item)
    const body = JSON.stringify({ ...content, entityAttributes, format: 1 })
    await sql`insert into content values (${organisation}, ${`${uid}${id}`}, ${body})`.execute(db)
    await sql`insert into entity (organisation_id, id, uid, name, name_folded, path, folder, content_hash, latest_version,
      import_id, hidden, type, manifest_id, extends_id, scopes, resolved, created_at, updated_at, updated_by)
      values (${organisation}, ${id}, ${uid}, ${name}, ${name.toLowerCase()}, ${`user-defined/${name}`}, 'user-defined',
      ${`${uid}${id}`}, '1.0.0', 0, 0, 'EXCLUSIVE', 0, ${extendsEntity?.id ?? 0}, '', ${id === sourceId ? 0 : 1},
      '', '', '')`.execute(db)
    const references = entityAttributes.map(item => [item.uid, item.associatedEntity.id] as const)
    if (extendsEntity) references.push(['', extendsEntity.id])
    for (const [attribute, to] of references) {
      await sql`insert into entity_reference (organisation_id, from_id, attribute_uid, to_id, foreign_key, target, place)
        values (${organisation}, ${id}, ${attribute}, ${to}, '', '', 0)`.execute(db)
    }
  }
  return target
}
