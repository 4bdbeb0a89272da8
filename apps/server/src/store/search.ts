import type { MatchKind } from '@cadmus/model/contract/search'
import { type MatchRank, matchRanks, nameRank, searchTerms } from '@cadmus/model/search/match-text'
import { type AttributeMatch, attributeNamesWith, attributesWithNames } from './attribute-search.ts'
import type { Db } from './database.ts'
import { listEntities } from './entity-list.ts'
import { listManifests } from './manifest-list.ts'
import type { NameIndexes } from './name-indexes.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'
import { searchTexts, type TextMatch } from './searched-texts.ts'
import { storable } from './statements.ts'

export type MatchedDocument = {
  kind: 'entity' | 'manifest' | 'configuration'
  id: number
  name: string
  path: string
  folder: string
  /** Of an entity. */
  type?: string
}

export type SearchMatch = {
  kind: MatchKind
  document: MatchedDocument
  row: { kind: 'typeAttribute' | 'entityAttribute'; uid: string; name: string } | null
  /** The whole matching text. */
  text: string
  detail: string
  rank: MatchRank
}

type Place = { db: Db; organisationId: number; names: NameIndexes }
type Search = { search: string; limit: number }

/** Names read for a rank that the store does not know, the start of a word. */
const namesRead = 60
/** The same for several words, of which the store searches the longest. */
const namesReadOfWords = 200
/** Distinct attribute names whose attributes are read. */
const maxAttributeNames = 24
/** Entities whose relationships to them are read. */
const maxTargets = 10

/**
 * Searches everything in the organisation and the library: at most `limit` matches of each kind, own ones first, then by
 * rank.
 */
export async function searchEverything(place: Place, { search, limit }: Search): Promise<SearchMatch[]> {
  const text = storable(search)
  const terms = searchTerms(text)
  if (terms.length === 0) return []
  const organisations = [...new Set([place.organisationId, 0])]
  const parts = await Promise.all(organisations.map(organisationId => searchIn(organisationId)))
  const result = new Map<MatchKind, SearchMatch[]>()
  for (const part of parts) {
    for (const [kind, some] of Map.groupBy(part, match => match.kind)) {
      const best = some.toSorted((one, other) => one.rank - other.rank || compareTexts(one.text, other.text))
      result.set(kind, [...(result.get(kind) ?? []), ...distinctMatches(best)].slice(0, limit))
    }
  }
  return [...result.values()].flat()

  async function searchIn(organisationId: number): Promise<SearchMatch[]> {
    const within = { ...place, organisationId }
    const documents = async () => {
      const entities = await entitiesNamed(within, terms)
      return { entities, relationships: await relationshipsTo(within, entities, limit) }
    }
    const named = async () => [...(await manifestsNamed(within, terms)), ...(await columnsNamed(within, terms, limit))]
    const texts = async () => matchesOfTexts(place, await searchTexts(place.db, organisationId, text))
    // Together they wait for PostgreSQL once; more at a time would leave others few connections.
    const [{ entities, relationships }, names, matches] = await Promise.all([documents(), named(), texts()])
    return [...entities, ...names, ...relationships, ...matches]
  }
}

/** Own entities and manifests of which one of several words starts a word of the name. */
export async function documentsNamedByWords(place: Place, { search, limit }: Search): Promise<MatchedDocument[]> {
  const terms = searchTerms(storable(search)).slice(0, maxNamingWords)
  if (terms.length < 2) return []
  const result = new Map<string, MatchedDocument>()
  for (const term of terms) {
    const matches = [...(await entitiesNamed(place, [term])), ...(await manifestsNamed(place, [term]))]
    const best = matches.filter(({ rank }) => rank <= matchRanks.wordStart).slice(0, limit)
    for (const { document } of best) result.set(`${document.kind} ${document.id}`, document)
  }
  return [...result.values()]
}

const maxNamingWords = 3

/** Not by locale, whose rules cost more than the search. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function distinctMatches(matches: readonly SearchMatch[]): SearchMatch[] {
  const byKey = new Map<string, SearchMatch>()
  for (const match of matches) {
    const { kind, document, row, text } = match
    const key = JSON.stringify([kind, document.kind, document.id, row?.uid, text])
    if (!byKey.has(key)) byKey.set(key, match)
  }
  return [...byKey.values()]
}

/** A page that is searched by the longest term. */
function pageFor(terms: readonly string[]) {
  const search = terms.toSorted((one, other) => other.length - one.length)[0] ?? ''
  return { search, page: 0, limit: terms.length > 1 ? namesReadOfWords : namesRead, order: 'match' as const }
}

function inOrganisation(organisationId: number) {
  return organisationId === 0 ? ('DEFAULT' as const) : ('PRIVATE' as const)
}

async function entitiesNamed({ db, organisationId, names }: Place, terms: readonly string[]): Promise<SearchMatch[]> {
  const query = { ...pageFor(terms), filter: inOrganisation(organisationId) }
  const { rows } = await listEntities(db, organisationId, query, names)
  return byRank(
    rows.map(({ id, name, path, folder, type }) => ({ kind: 'entity' as const, id, name, path, folder, type })),
    terms,
  )
}

async function manifestsNamed({ db, organisationId }: Place, terms: readonly string[]): Promise<SearchMatch[]> {
  const query = { ...pageFor(terms), filter: inOrganisation(organisationId) }
  const { rows } = await listManifests(db, organisationId, query)
  return byRank(
    rows.map(({ id, name, path, folder }) => ({ kind: 'manifest' as const, id, name, path, folder })),
    terms,
  )
}

function byRank(documents: readonly (MatchedDocument & { kind: 'entity' | 'manifest' })[], terms: readonly string[]) {
  return documents
    .flatMap((document): SearchMatch[] => {
      const rank = nameRank(document.name, terms)
      return rank === null ? [] : [{ kind: document.kind, document, row: null, text: document.name, detail: '', rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
}

/** Attributes and relationships by name; names with a better rank first. */
async function columnsNamed(place: Place, terms: readonly string[], limit: number): Promise<SearchMatch[]> {
  const { db, organisationId } = place
  const ranked = (await attributeNamesWith(db, organisationId, terms, namesReadOfWords))
    .flatMap(name => {
      const rank = nameRank(name, terms)
      return rank === null ? [] : [[name, rank] as const]
    })
    .toSorted(([, one], [, other]) => one - other)
    .slice(0, maxAttributeNames)
  const matches: SearchMatch[] = []
  // As many as fill both kinds if one has most of them.
  const most = 3 * limit
  for (const [rank, names] of Map.groupBy(ranked, ([, of]) => of)) {
    const room = most - matches.length
    if (room === 0) break
    const some = names.map(([name]) => name)
    const rows = await attributesWithNames(db, organisationId, some, room)
    matches.push(...rows.map(row => columnMatch(row, rank)))
  }
  return matches
}

function columnMatch(row: AttributeMatch, rank: MatchRank): SearchMatch {
  const isRelationship = row.to_id !== null
  return {
    kind: isRelationship ? 'relationship' : 'attribute',
    document: entityOf(row),
    row: { kind: isRelationship ? 'entityAttribute' : 'typeAttribute', uid: row.uid, name: row.name },
    text: row.name,
    detail: row.target ?? '',
    rank,
  }
}

function entityOf(row: AttributeMatch): MatchedDocument {
  const { entity_id: id, entity_name: name, path, folder, type } = row
  return { kind: 'entity', id, name, path, folder, type }
}

/** The organisation's relationships to the best of these entities. */
async function relationshipsTo(
  { db, organisationId }: Place,
  entities: readonly SearchMatch[],
  limit: number,
): Promise<SearchMatch[]> {
  const targets = entities.filter(({ rank }) => rank <= matchRanks.wordStart).slice(0, maxTargets)
  if (targets.length === 0) return []
  const nameOf = new Map(targets.map(({ document }) => [document.id, document.name]))
  const rows = await db
    .selectFrom('entity_reference')
    .innerJoin('entity', join =>
      join
        .onRef('entity.organisation_id', '=', 'entity_reference.organisation_id')
        .onRef('entity.id', '=', 'entity_reference.from_id'),
    )
    .select(['entity_reference.attribute_uid as uid', 'entity_reference.foreign_key', 'entity_reference.to_id'])
    .select(['entity.id', 'entity.name', 'entity.path', 'entity.folder', 'entity.type'])
    .where('entity_reference.organisation_id', '=', organisationId)
    .where('entity_reference.to_id', 'in', [...nameOf.keys()])
    .where('entity_reference.foreign_key', '!=', '')
    .where('entity.import_id', '=', 0)
    .where('entity.hidden', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
    .limit(limit)
    .execute()
  return rows.map(({ uid, foreign_key: name, to_id: to, ...document }) => ({
    kind: 'relationship',
    document: { kind: 'entity', ...document },
    row: { kind: 'entityAttribute', uid, name },
    text: name,
    detail: nameOf.get(to) ?? '',
    rank: matchRanks.wordStart,
  }))
}

/** Matches in visible documents. */
async function matchesOfTexts(place: Place, texts: readonly TextMatch[]): Promise<SearchMatch[]> {
  if (texts.length === 0) return []
  const idsOf = (isEntity: boolean) => [
    ...new Set(texts.filter(text => (text.documentKind === 'entity') === isEntity).map(text => text.documentId)),
  ]
  const [entities, manifests] = [await entityRows(place, idsOf(true)), await manifestRows(place, idsOf(false))]
  return texts.flatMap(({ documentKind, documentId, text: { kind, part, uid, name, text }, rank }): SearchMatch[] => {
    const row = (documentKind === 'entity' ? entities : manifests).get(documentId)
    if (!row) return []
    const document = { kind: documentKind, ...row }
    if (part === 'document') return [{ kind, document, row: null, text, detail: name, rank }]
    return [{ kind, document, row: { kind: part, uid, name }, text, detail: '', rank }]
  })
}

async function entityRows({ db, organisationId }: Place, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Omit<MatchedDocument, 'kind'>>()
  const organisations = [organisationId, 0]
  const rows = await db
    .selectFrom('entity')
    .select(['id', 'name', 'path', 'folder', 'type'])
    .where('organisation_id', 'in', organisations)
    .where('id', 'in', ids)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .where('manifest_id', 'not in', manifestsPendingDeletion(db, organisations))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

async function manifestRows({ db, organisationId }: Place, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Omit<MatchedDocument, 'kind'>>()
  const rows = await db
    .selectFrom('manifest')
    .select(['id', 'name', 'path', 'folder'])
    .where('organisation_id', 'in', [organisationId, 0])
    .where('id', 'in', ids)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}
