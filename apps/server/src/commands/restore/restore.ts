import type { Cause } from '@cadmus/model/edits/edit-forms'
import { restoreTexts } from '@cadmus/model/messages/history'
import { conflict, notFound } from '../../errors/api-error.ts'
import type { AuditChange } from '../../store/audit.ts'
import { loggedEntry, type LoggedEntry } from '../../store/audit-of-target.ts'
import { entityRowsByIds } from '../../store/entity.ts'
import { lockManifestNames, manifestById } from '../../store/manifest.ts'
import { type Change, transact, type Work } from '../change.ts'
import { storedOperation } from '../named-save.ts'
import { recreateEntity } from './recreate-entity.ts'
import { recreateManifest } from './recreate-manifest.ts'
import { restoreConfiguration, restoreEntity } from './restore-state.ts'
import { restoreManifest } from './restore-manifest.ts'
import { restoredBefore } from './restored-before.ts'
import { undoCreation } from './undo-creation.ts'
import { undoManifestCreation } from './undo-manifest-creation.ts'
import type { Restored, RestoredDocument, RestoreRequest, Restoring } from './restoring.ts'

/**
 * Restores the state of a log entry, with what belongs to it, as one new change. A dry run is the preview; a repeated operation gets the
 * first answer.
 */
export async function restoreEntry(change: Change, request: RestoreRequest): Promise<Restored> {
  const { organisationId } = change
  return transact(change, await idsFor(change, request), async (tx, work) => {
    await lockManifestNames(tx, organisationId)
    const entry = await loggedEntry(tx, organisationId, request.entry)
    if (!entry) throw notFound('The log entry')
    if (await storedOperation(tx, change)) return restoredBefore(tx, change, entry)
    const cause = { kind: request.kind, sequence: entry.sequence }
    const report = { others: [], missing: [] }
    const entries: AuditChange[] = []
    const noting = { ...work, audit: (...more: readonly AuditChange[]) => void entries.push(...more) }
    const restoring = { tx, change, work: marked(noting, entry, cause), entry, request, report }
    const { edits, ...restored } = await restore(restoring)
    const [first, ...rest] = entries
    if (first) work.audit({ ...first, restoration: { ...first.restoration, report } }, ...rest)
    // A repeated operation is answered from the log, which has none.
    return { ...restored, ...report, ...(change.dryRun && edits ? { edits } : {}) }
  })
}

/** Entries of a change; with too few the transaction would begin again. */
async function idsFor({ store, organisationId }: Change, request: RestoreRequest): Promise<number> {
  const db = store.of(organisationId)
  const entry = await loggedEntry(db, organisationId, request.entry)
  const row = entry?.kind === 'MANIFEST' ? await manifestById(db, organisationId, entry.target_id) : undefined
  return 40 + 2 * ((entry?.restoration.members?.put.length ?? 0) + (row?.entity_count ?? 0))
}

async function restore(restoring: Restoring): Promise<RestoredDocument> {
  const { tx, change, entry } = restoring
  const { target_id: id, name } = entry
  const isEntity = entry.kind === 'ENTITY'
  const row = isEntity
    ? (await entityRowsByIds(tx, change.organisationId, [id])).get(id)
    : await manifestById(tx, change.organisationId, id)
  if (entry.action_type === 'DELETE') {
    if (row) throw conflict(restoreTexts.exists(row.name))
    return isEntity ? recreateEntity(restoring) : recreateManifest(restoring)
  }
  if (!row) throw notFound(`${isEntity ? 'The entity' : 'The manifest'} ${name}`)
  if (restoring.request.kind === 'undo' && entry.action_type === 'CREATE')
    return isEntity ? undoCreation(restoring) : undoManifestCreation(restoring)
  if (isEntity) return restoreEntity(restoring)
  if (entry.content_kind === 'configuration') return restoreConfiguration(restoring)
  if (entry.content_kind === 'manifest') return restoreManifest(restoring)
  throw conflict(restoreTexts.notRestorable)
}

/** The cause belongs to the entries of the restored document; the others followed from it. */
function marked(work: Work, { kind, target_id: id, content_kind: content }: LoggedEntry, cause: Cause): Work {
  const isOwn = (entry: AuditChange) =>
    entry.kind === kind && entry.target_id === id && (kind === 'ENTITY' || entry.content_kind === content)
  const mark = (entry: AuditChange) => (isOwn(entry) ? { ...entry, cause } : { ...entry, follows: true })
  return { ...work, audit: (...entries) => work.audit(...entries.map(mark)) }
}
