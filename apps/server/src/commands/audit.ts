import type { ActionType, ContentKind } from '@cadmus/model/audit-entry'
import { visibleText } from '@cadmus/model/visible-text'
import type { AuditChange } from '../store/audit.ts'
import type { EntityRow } from '../store/entity.ts'
import type { ManifestRow } from '../store/manifest.ts'
import type { Restoration } from '../store/restoration.ts'

/** What every entry says beside the thing that it tells of. */
type Event = {
  action: ActionType
  description: string
  /** Hashes of the content before and after; null where there was none. They may be shown. */
  before: string | null
  after: string | null
  restoration: Restoration
  /** Default: the thing's latest one. */
  version?: string
  contentKind?: ContentKind
}

type Thing = { id: number; name: string; path: string; latest_version: string }

/** The one maker of audit entries: every kind of change says what it did and what undoing it needs. */
export function tellOfEntity(entity: Thing, event: Event): AuditChange {
  return entry('ENTITY', entity, { contentKind: 'entity', ...event })
}

export function tellOfManifest(manifest: Thing, event: Event): AuditChange {
  return entry('MANIFEST', manifest, { contentKind: 'manifest', ...event })
}

/** A new entity: restoring what was before takes it away again, with its places in manifests. */
export function entityCreated(entity: Thing, hash: string, description: string): AuditChange {
  return tellOfEntity(entity, {
    action: 'CREATE',
    description,
    before: null,
    after: hash,
    restoration: { entity: null },
  })
}

export function manifestCreated(manifest: Thing, hash: string, description: string): AuditChange {
  const restoration: Restoration = { manifest: null }
  return tellOfManifest(manifest, { action: 'CREATE', description, before: null, after: hash, restoration })
}

/** Another content: `path` and name after the change are the entry's own. */
export function entityChanged(
  before: Pick<EntityRow, 'id' | 'path' | 'content_hash' | 'latest_version'>,
  after: { name: string; path: string; hash: string },
  description: string,
): AuditChange {
  const moved = before.path === after.path ? {} : { path: before.path }
  return tellOfEntity(
    { ...before, ...after },
    {
      action: 'UPDATE',
      description,
      before: before.content_hash,
      after: after.hash,
      restoration: { entity: { content_hash: before.content_hash, ...moved } },
    },
  )
}

/** Other members or sub-manifests. */
export function manifestChanged(
  manifest: ManifestRow,
  changed: { before: string; after: string; restoration: Restoration },
  description: string,
): AuditChange {
  const { before, after, restoration } = changed
  return tellOfManifest(manifest, {
    action: 'UPDATE',
    description,
    before,
    after,
    restoration: { manifest: { content_hash: before }, ...restoration },
  })
}

/** The organisation itself: its name, its licence limits, its members. Its entries stand in neither log of contents. */
export function tellOfOrganisation(
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
    // A sentence is read; names in it that came from a file must not turn it around.
    description: visibleText(event.description, { lines: true }),
    original_hash: event.before,
    updated_hash: event.after,
    version: event.version ?? thing.latest_version,
    content_kind: event.contentKind,
    restoration: event.restoration,
  }
}

/** Names for a sentence: all of a few, the first of many. */
export function named(names: readonly string[]): string {
  const few = 5
  return names.length <= few ? names.join(', ') : `${names.slice(0, few).join(', ')} and ${names.length - few} more`
}
