import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newEntityContent } from '@cadmus/model/entity'
import { newManifestContent } from '@cadmus/model/manifest'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { appendAudit } from '../store/audit.ts'
import { inBatches } from '../store/statements.ts'
import type { Db, StoreSettings } from '../store/database.ts'
import { openStore } from '../store/store.ts'
import { insertEntities, type NewEntity } from '../store/entity.ts'
import { updateResolved } from '../store/entity-reference.ts'
import { insertManifests } from '../store/manifest.ts'
import { organisationByCode } from '../store/organisation.ts'

// A separate program for measurements: `node fill-store.ts <organisation> <entities> <members> <sqlite file | postgres
// url> [versions of the first entity] [attributes of each entity] ['integers' for no text attributes, 'words' for names and
// descriptions of many different words] [references per entity]`. Fills a store that a console has prepared: `entities` custom entities in manifests of fifty, each related to
// the next ones, ten of them named Needle; and unless `members` is 0, a manifest "Wide" with that many more. Prints the
// ids.

const actor = { userId: 'filler', userName: 'Filler', userEmail: 'filler@example.com' }
const each = 50
const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu', 'ra', 'se']

const [
  code = 'ACME',
  entities = '100',
  members = '0',
  place = '',
  versions = '0',
  attributes = '5',
  kind = '',
  neighbours = '1',
] = process.argv.slice(2)
const settings: StoreSettings = place.startsWith('postgres')
  ? { kind: 'postgres', url: place }
  : { kind: 'sqlite', file: place }
const store = openStore(settings)
const organisation = await organisationByCode(store.shared, code)
if (organisation === undefined) throw new Error(`There is no organisation ${code}.`)
const db = store.of(organisation.id)
const groups = [...inBatches(names(Number(entities)), each)].map((list, index) => ({ name: `Group${index}`, list }))
if (members !== '0') groups.push({ name: 'Wide', list: names(Number(members), 'Wide') })
const answer: Record<string, { id: number; entityId: number }> = {}
for (const { name, list } of groups) answer[name] = await addGroup(db, organisation.id, name, list)
await addVersions(db, organisation.id, answer['Group0']?.entityId ?? -1)
process.stdout.write(JSON.stringify({ first: answer['Group0'], wide: answer['Wide'] ?? null }))
await store.close()

function names(count: number, start = 'Record'): string[] {
  return Array.from({ length: count }, (_, index) => (index < 10 ? `${start}${index}Needle` : `${start}${index}`))
}

async function addGroup(on: Db, organisationId: number, name: string, list: readonly string[]) {
  const ids = await store.ids.take(1 + 2 * list.length)
  const [manifestId = -1] = ids
  const places = list.map((entity, index) => ({
    id: ids[1 + index] ?? -1,
    name: entity,
    path: `user-defined/${name}/${entity}`,
  }))
  const auditIds = ids.slice(1 + list.length)
  await on.transaction().execute(async tx => {
    for (const part of inBatches([...places.entries()], 1000)) {
      const made = part.map(([index, at]) =>
        entityAt(at, places.slice(index + 1, index + 1 + Number(neighbours)), manifestId),
      )
      const hashes = await insertEntities(tx, organisationId, made, actor)
      await updateResolved(
        tx,
        organisationId,
        made.map(({ id }) => id),
      )
      const entries = made.map((entity, at) => ({
        kind: 'ENTITY' as const,
        target_id: entity.id,
        action_type: 'CREATE' as const,
        name: entity.content.name,
        path: entity.path,
        description: `Created "${entity.content.name}".`,
        original_hash: null,
        updated_hash: hashes[at] ?? null,
        version: '1.0.0',
        content_kind: 'entity' as const,
        restoration: {},
      }))
      const auditContext = { organisationId, actor, changeId: manifestId, nextId: () => auditIds.pop() ?? -1 }
      await appendAudit(tx, auditContext, entries)
    }
    const listed = places.map(({ id }) => ({ entityId: id, organisationId, type: 'EXCLUSIVE' as const }))
    const content = newManifestContent({ name })
    await insertManifests(
      tx,
      organisationId,
      [{ id: manifestId, path: `user-defined/${name}`, content, members: listed, subManifests: [] }],
      actor,
    )
  })
  return { id: manifestId, entityId: places[0]?.id ?? -1 }
}

/** Adds older versions with identical content. */
async function addVersions(on: Db, organisationId: number, id: number): Promise<void> {
  const { content_hash: hash } = await on
    .selectFrom('entity')
    .select('content_hash')
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const made = { created_at: new Date().toISOString(), created_by: actor.userName }
  const rows = Array.from({ length: Number(versions) }, (_none, index) => ({
    organisation_id: organisationId,
    entity_id: id,
    version: `0.${index}.0`,
    content_hash: hash,
    ...made,
  }))
  for (const part of inBatches(rows, 200)) await on.insertInto('entity_version').values(part).execute()
}

type At = { id: number; name: string; path: string }

function entityAt({ id, name, path }: At, next: readonly At[], manifestId: number): NewEntity {
  const dataType = kind === 'integers' ? 'integer' : 'string'
  const named = ['code', 'title', 'amount', 'remark'].map((attribute, index) =>
    newTypeAttribute({ name: attribute, position: index + 1, dataType }),
  )
  const more = Array.from({ length: Math.max(0, Number(attributes) - 5) }, (_, index) =>
    newTypeAttribute({
      name: `attribute${index}`,
      description: `What attribute ${index} says`,
      position: index + 6,
      nullable: index % 2 === 0,
      dataType,
      maxLength: dataType === 'integer' || index % 3 === 0 ? null : 100,
      choices: dataType === 'string' && index === 5 ? ['open', 'closed'] : [],
    }),
  )
  const typeAttributes = kind === 'words' ? attributesOfWords(id) : [...named, ...more]
  const key = newTypeAttribute({ name: 'id', dataType: 'integer', purpose: 'identifiedBy', position: 0 })
  const entityAttributes = next.map((neighbour, index) =>
    newEntityAttribute({
      associatedEntity: neighbour,
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: index === 0 ? 'nextId' : `next${index + 1}Id`,
      position: 5 + index,
    }),
  )
  const description = kind === 'words' ? sentence(id) : ''
  const content = newEntityContent({ name, description, typeAttributes: [key, ...typeAttributes], entityAttributes })
  return { id, path, content, manifestId }
}

/** Attributes with 20,000 different names in all, each with a description of its own. */
function attributesOfWords(id: number) {
  return Array.from({ length: Math.max(0, Number(attributes) - 2) }, (_, index) => {
    const number = id * Number(attributes) + index
    const key = number % 20_000
    const attribute = `${wordOf(key)}${capital(wordOf(Math.floor(key / 12)))}`
    const choices = index === 5 ? [wordOf(number), `${wordOf(number + 1)} ${wordOf(number + 2)}`] : []
    return newTypeAttribute({ name: attribute, description: sentence(number * 31), position: index + 6, choices })
  })
}

/** One of 1,728 words. */
function wordOf(number: number): string {
  const at = (place: number) => syllables[Math.floor(number / 12 ** place) % 12] ?? ''
  return `${at(0)}${at(1)}${at(2)}n`
}

function sentence(number: number): string {
  return Array.from({ length: 9 }, (_, index) => wordOf(number * 17 + index * index * 131)).join(' ')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
