import { entityForm, manifestForm } from '@cadmus/model/content'
import { cardSize } from '@cadmus/model/diagram/card-rows'
import { readStored } from '@cadmus/model/stored/stored-form'
import { foldName, folderOf } from '@cadmus/model/paths'
import { contentByHash } from '../store/content.ts'
import type { Db } from '../store/database.ts'
import { writeScopes } from '../store/entity.ts'
import { referencesOf } from '../store/entity-reference.ts'
import { restorationForm } from '../store/audit.ts'
import type { Tables } from '../store/tables.ts'

/** All rows of one entity or manifest, without the last author. */
export type RowsOf = {
  row: Record<string, unknown> | null
  versions: readonly object[]
  ownScopes: string | null
  members: readonly object[]
  subManifests: readonly object[]
  references: readonly object[]
}

/** Returns the rows of all objects and settings of an organisation, by kind and id. */
export async function allRows(db: Db, organisationId: number): Promise<Map<string, RowsOf>> {
  const own = <T extends Table>(table: T) => rowsOf(db, table, organisationId)
  const versions = { ENTITY: await own('entity_version'), MANIFEST: await own('manifest_version') }
  const members = await own('manifest_member')
  const subManifests = await own('manifest_sub_manifest')
  const references = await own('entity_reference')
  const scopes = await own('entity_scopes')
  const result = new Map<string, RowsOf>()
  for (const row of [...(await own('entity')), ...(await rowsOf(db, 'entity', 0))]) {
    const { id } = row
    result.set(`ENTITY ${String(id)}`, {
      row: without(row, ignoredColumns),
      versions: sorted(
        versions.ENTITY.filter(item => item.entity_id === id).map(item =>
          without(item, ['organisation_id', 'entity_id']),
        ),
      ),
      ownScopes: textOf(scopes.find(item => item.entity_id === id)?.scopes),
      members: sorted(members.filter(item => item.entity_id === id).map(item => without(item, ['organisation_id']))),
      subManifests: [],
      references: sorted(
        references
          .filter(item => item.from_id === id)
          .map(item => ({ attributeUid: item.attribute_uid, toId: item.to_id })),
      ),
    })
  }
  for (const row of await own('manifest')) {
    const { id } = row
    const isHere = (item: Row) => item.manifest_id === id || item.sub_manifest_id === id
    result.set(`MANIFEST ${String(id)}`, {
      row: without(row, ignoredColumns),
      versions: sorted(versions.MANIFEST.filter(isHere).map(item => without(item, ['organisation_id', 'manifest_id']))),
      ownScopes: null,
      members: sorted(members.filter(isHere).map(item => without(item, ['organisation_id']))),
      subManifests: sorted(subManifests.filter(isHere).map(item => without(item, ['organisation_id']))),
      references: [],
    })
  }
  return result
}

type Table =
  | 'entity'
  | 'entity_version'
  | 'entity_scopes'
  | 'entity_reference'
  | 'manifest'
  | 'manifest_member'
  | 'manifest_sub_manifest'
  | 'manifest_version'

/**
 * Excluded from the state: author and time of the last change, locks, import marks, and current resolution of
 * references.
 */
const ignoredColumns = ['updated_at', 'updated_by', 'revision', 'import_id', 'resolved']

async function rowsOf(db: Db, table: Table, organisationId: number): Promise<Row[]> {
  return db.selectFrom(table).selectAll().where('organisation_id', '=', organisationId).execute()
}

function without(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)))
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Computes the rows before a change from the rows after it and its audit entry alone. */
export async function formerRows(
  db: Db,
  organisationId: number,
  after: RowsOf,
  entry: Pick<Tables['audit_entry'], 'kind' | 'target_id' | 'restoration'>,
): Promise<RowsOf> {
  const back = readStored(restorationForm, JSON.parse(entry.restoration ?? ''))
  const columns = entry.kind === 'ENTITY' ? back.entity : back.manifest
  if (columns === null) return nothing
  const row = { ...after.row, ...columns }
  const derived = await derivedFrom(db, organisationId, entry.kind, row)
  return {
    row: { organisation_id: organisationId, id: entry.target_id, ...row, ...derived.row },
    references: derived.references,
    versions: merged(
      after.versions,
      back.versions?.put,
      version => back.versions?.drop.includes(String(version.version)),
      ['version'],
    ),
    ownScopes: back.ownScopes === undefined ? after.ownScopes : back.ownScopes,
    members: merged(after.members, back.members?.put, isIn(back.members?.drop), ['manifest_id', 'entity_id']),
    subManifests: merged(after.subManifests, back.subManifests?.put, isIn(back.subManifests?.drop), [
      'manifest_id',
      'sub_manifest_id',
    ]),
  }
}

const nothing: RowsOf = { row: null, versions: [], ownScopes: null, members: [], subManifests: [], references: [] }

type Row = Record<string, unknown>

function merged(
  after: readonly object[],
  put: readonly object[] = [],
  isDropped: (row: Row) => boolean | undefined,
  key: readonly string[],
): object[] {
  const rows = new Map<string, Row>()
  for (const item of [...after, ...put]) {
    const row: Row = { ...item }
    rows.set(JSON.stringify(key.map(column => row[column])), row)
  }
  return sorted([...rows.values()].filter(row => isDropped(row) !== true))
}

function isIn(keys: readonly object[] = []) {
  return (row: Row) => keys.some(key => Object.entries(key).every(([column, value]) => row[column] === value))
}

/** The columns and references derived from path and content. */
async function derivedFrom(db: Db, organisationId: number, kind: Tables['audit_entry']['kind'], row: Row) {
  const path = String(row.path)
  const body = await contentByHash(db, organisationId, String(row.content_hash))
  if (body === undefined) throw new Error('The content that an entry names is not in the store.')
  if (kind === 'MANIFEST') {
    const content = readStored(manifestForm, JSON.parse(body))
    const { uid, name, entities, subManifests } = content
    const counts = { entity_count: entities.length, sub_manifest_count: subManifests.length }
    const own = { uid, name, name_folded: foldName(name), path, folder: folderOf(path), ...counts }
    return { row: own, references: [] }
  }
  const content = readStored(entityForm, JSON.parse(body))
  const { uid, name, type, extendsEntity, operationScopes } = content
  const card = cardSize(content)
  return {
    row: {
      uid,
      name,
      name_folded: foldName(name),
      path,
      folder: folderOf(path),
      type,
      extends_id: Math.max(0, extendsEntity?.id ?? 0),
      scopes: writeScopes(operationScopes),
      card_rows: card.rows,
      card_key_rows: card.keyRows,
    },
    references: sorted(referencesOf(content).map(({ attributeUid, toId }) => ({ attributeUid, toId }))),
  }
}

/** Sorts rows independently of their column order. */
function sorted(rows: readonly object[]): object[] {
  const keyOf = (row: object) => JSON.stringify(Object.entries(row).toSorted())
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
