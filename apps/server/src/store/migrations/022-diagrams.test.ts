import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, expect, it } from 'vitest'
import { describeOnBothStores } from '../../testing/console.ts'
import { emptyStore, plain } from '../../testing/old-store.ts'
import { migrations } from './all.ts'

const organisation = 7
const entities = 120

describeOnBothStores('A store from before diagrams', kind => {
  const ends: (() => Promise<void> | void)[] = []
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  it('a store from before diagrams has the size of each card and the ends of its links after its migration', async () => {
    const db = plain(await emptyStore(kind, ends))
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
    expect((await migrator.migrateTo('021-edits')).error).toBeUndefined()
    for (let id = 1; id <= entities; id++) {
      const target = { id: 1, name: 'First', path: 'user-defined/First' }
      const other = { id: 2, name: 'Second', path: 'user-defined/Second' }
      const content = newEntityContent({
        name: `Entity${id}`,
        typeAttributes: [
          newTypeAttribute({ name: 'id', purpose: 'identifiedBy', position: 0 }),
          newTypeAttribute({ name: 'note', position: 1 }),
        ],
        entityAttributes: [
          newEntityAttribute({
            associatedEntity: target,
            associatedEntityTypeAttribute: 'id',
            foreignKeyTypeAttribute: 'first',
            position: 3,
            nullable: false,
            unique: true,
            alternativeTargets: [{ entity: other, attribute: 'id' }],
          }),
          newEntityAttribute({
            associatedEntity: target,
            associatedEntityTypeAttribute: 'id',
            foreignKeyTypeAttribute: 'second',
            position: 2,
          }),
        ],
      })
      await sql`insert into content values (${organisation}, ${`hash${id}`}, ${JSON.stringify(content)})`.execute(db)
      await sql`insert into entity (organisation_id, id, uid, name, name_folded, path, folder, content_hash,
        latest_version, import_id, hidden, type, manifest_id, extends_id, scopes, resolved, created_at, updated_at,
        updated_by) values (${organisation}, ${id}, ${content.uid}, ${content.name}, '', '', '', ${`hash${id}`},
        '1.0.0', 0, 0, 'EXCLUSIVE', 0, 0, '', 1, '', '', '')`.execute(db)
      const [first, second] = content.entityAttributes
      for (const [uid, to] of [
        ['', 9],
        [first?.uid, 1],
        [first?.uid, 2],
        [second?.uid, 1],
      ] as const)
        await sql`insert into entity_reference (organisation_id, from_id, attribute_uid, to_id, foreign_key, target, place)
          values (${organisation}, ${id}, ${uid}, ${to}, '', '', 0)`.execute(db)
    }
    expect((await migrator.migrateToLatest()).error).toBeUndefined()
    const { rows: cards } = await sql<Record<string, unknown>>`
      select distinct card_rows, card_key_rows from entity`.execute(db)
    expect(cards.map(row => [Number(row['card_rows']), Number(row['card_key_rows'])])).toEqual([[4, 3]])
    const { rows: links } = await sql<Record<string, unknown>>`
      select to_id, card_row, link_ends, count(*) as count from entity_reference
      group by to_id, card_row, link_ends order by to_id, card_row`.execute(db)
    const numbers = links.map(row => ['to_id', 'card_row', 'link_ends', 'count'].map(name => Number(row[name])))
    expect(numbers).toEqual([
      [1, 1, 2, entities],
      [1, 2, 1, entities],
      [2, 2, 1, entities],
      [9, 0, 0, entities],
    ])
    await db.destroy()
  })
})
