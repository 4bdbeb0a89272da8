import { defaults } from '@cadmus/model/limits'
import type { EntityContent } from '@cadmus/model/entity'
import { folderOf, foldName } from '@cadmus/model/paths'
import type { Actor } from './audit.ts'
import { writeScopes } from './entity-content.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'

type Row = Tables['entity']

/** The properties of a content that are repeated in the entity's row. */
export type ContentColumns = Pick<Row, 'name' | 'name_folded' | 'path' | 'folder' | 'type' | 'extends_id' | 'scopes'>

export function contentColumns(content: EntityContent, path: string): ContentColumns {
  const name = storable(content.name)
  const place = storable(path)
  return {
    name,
    name_folded: foldName(name),
    path: place,
    folder: folderOf(place),
    type: content.type,
    extends_id: content.extendsEntity && content.extendsEntity.id > 0 ? content.extendsEntity.id : 0,
    scopes: writeScopes(content.operationScopes),
  }
}

type NewRow = {
  id: number
  uid: string
  columns: ContentColumns
  hash: string
  manifestId: number
  corpusPath: string | null
  importId: number
  resolved: 0 | 1
  version?: string | undefined
}

/** Builds the row of a new entity; the only place that does. */
export function newEntityRow(organisationId: number, newEntity: NewRow, actor: Pick<Actor, 'userName'>): Row {
  const now = new Date().toISOString()
  return {
    organisation_id: organisationId,
    id: newEntity.id,
    uid: newEntity.uid,
    ...newEntity.columns,
    content_hash: newEntity.hash,
    latest_version: newEntity.version ?? defaults.version,
    manifest_id: newEntity.manifestId,
    corpus_path: storable(newEntity.corpusPath ?? '') || null,
    resolved: newEntity.resolved,
    import_id: newEntity.importId,
    hidden: 0,
    created_at: now,
    updated_at: now,
    updated_by: actor.userName,
  }
}
