import type { ActionType, ContentKind } from '@cadmus/model/audit-differences'
import type { Edit } from '@cadmus/model/edits/edit-forms'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { visibleText } from '@cadmus/model/display'
import type { AuditChange, Restoration } from '../store/audit.ts'
import type { StoredEntity } from '../store/entity.ts'
import type { ManifestRow } from '../store/manifest.ts'

/** Fields of every entry, apart from its subject. */
type Event = {
  action: ActionType
  description: string
  /** Hashes of the content before and after; null if there was none. Readable by clients. */
  before: string | null
  after: string | null
  restoration: Restoration
  /** Default: the latest version. */
  version?: string
  contentKind?: ContentKind
  /** Edits from the content before to the one after; absent for creations, deletions and versions. */
  edits?: readonly Edit[]
}

type Thing = { id: number; name: string; path: string; latest_version: string }

/** Builds audit entries. Every kind of change states its effect and the data needed to undo it. */
export function entityEntry(entity: Thing, event: Event): AuditChange {
  return entry('ENTITY', entity, { contentKind: 'entity', ...event })
}

export function manifestEntry(manifest: Thing, event: Event): AuditChange {
  return entry('MANIFEST', manifest, { contentKind: 'manifest', ...event })
}

/** A new entity: undoing removes it with its places in manifests. */
export function entityCreated(entity: Thing, hash: string, description: string): AuditChange {
  return entityEntry(entity, {
    action: 'CREATE',
    description,
    before: null,
    after: hash,
    restoration: { entity: null },
  })
}

export function manifestCreated(manifest: Thing, hash: string, description: string): AuditChange {
  const restoration: Restoration = { manifest: null }
  return manifestEntry(manifest, { action: 'CREATE', description, before: null, after: hash, restoration })
}

/** Changed content of an entity; the entry has the new name, and the new `path` if it changed. */
export function entityChanged(
  before: Pick<StoredEntity, 'id' | 'path' | 'content_hash' | 'latest_version' | 'content'>,
  after: { content: EntityContent; hash: string; path?: string },
  description: string,
): AuditChange {
  const { path = before.path } = after
  const moved = before.path === path ? {} : { path: before.path }
  return entityEntry(
    { ...before, path, name: after.content.name },
    {
      action: 'UPDATE',
      description,
      before: before.content_hash,
      after: after.hash,
      restoration: { entity: { content_hash: before.content_hash, ...moved } },
      edits: entityEditsBetween(before.content, after.content),
    },
  )
}

/** Changed members or sub-manifests. */
export function manifestChanged(
  manifest: ManifestRow,
  changed: { before: string; after: string; restoration: Restoration; edits?: readonly Edit[] },
  description: string,
): AuditChange {
  const { before, after, restoration, edits } = changed
  return manifestEntry(manifest, {
    action: 'UPDATE',
    description,
    before,
    after,
    restoration: { manifest: { content_hash: before }, ...restoration },
    ...(edits ? { edits } : {}),
  })
}

/** The organisation itself: its name, licence limits and members. Its entries are in neither log of contents. */
export function organisationEntry(
  { id, code, name }: { id: number; code: string; name: string },
  event: Pick<Event, 'action' | 'description' | 'restoration'>,
): AuditChange {
  const thing = { id, name, path: code, latest_version: '' }
  return entry('ORGANISATION', thing, { contentKind: 'organisation', before: null, after: null, ...event })
}

function entry(kind: AuditChange['kind'], thing: Thing, event: Event & { contentKind: ContentKind }): AuditChange {
  return {
    kind,
    target_id: thing.id,
    action_type: event.action,
    name: thing.name,
    path: thing.path,
    // Shows invisible characters, because imported names could reverse the sentence.
    description: visibleText(event.description, { lines: true }),
    original_hash: event.before,
    updated_hash: event.after,
    version: event.version ?? thing.latest_version,
    content_kind: event.contentKind,
    restoration: event.restoration,
    ...(event.edits ? { edits: event.edits } : {}),
  }
}

/** A list of names for a sentence: all if few, otherwise the first ones. */
export function named(names: readonly string[]): string {
  const few = 5
  return names.length <= few ? names.join(', ') : `${names.slice(0, few).join(', ')} and ${names.length - few} more`
}
