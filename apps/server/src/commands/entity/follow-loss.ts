import { applyEntityEdits, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { withSettledConstraints } from '@cadmus/model/constraints'
import { releaseReferences } from '@cadmus/model/lost-columns'
import type { ReferenceItem } from '@cadmus/model/contract/shared'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { columnsWithKey } from '@cadmus/model/one-key'
import { ApiError } from '../../errors/api-error.ts'
import type { Db, Tx } from '../../store/database.ts'
import { withCurrentNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, setEntityContent, type StoredEntity } from '../../store/entity.ts'
import { resolveNamesIn, putConfiguration } from '../../store/manifest-configuration.ts'
import { lockManifest, setManifestConfiguration } from '../../store/manifest.ts'
import { entityChanged, named } from '../audit.ts'
import { type Change, WriteConflict, type Work } from '../change.ts'
import { auditConfiguration } from '../manifest/save-configuration.ts'
import {
  columnLoss,
  lostIn,
  type ColumnLoss,
  type ConfigurationLoss,
  type LossStep,
  type ReferenceHandling,
} from './column-loss.ts'
import { maxReported } from './references-to.ts'
import { subtypeSteps, type SubtypeStep, withSettledKey } from './settle-keys.ts'

/**
 * The columns that a change removes while others refer to them, including other entities of the same change; 409 with the references unless
 * their handling is given.
 */
export async function allowedLoss(
  db: Db,
  organisationId: number,
  step: LossStep,
  others: readonly LossStep[] = [],
): Promise<ColumnLoss | undefined> {
  const loss = await columnLoss(db, organisationId, step)
  const items = [...(loss?.items ?? [])]
  for (const other of others) items.push(...((await columnLoss(db, organisationId, other))?.items ?? []))
  if (items.length === 0) return loss
  throw new ApiError(409, 'references', messages.columnsReferredTo, { references: items.slice(0, maxReported) })
}

/** References to these columns of the entity. */
export async function referencesToAttributes(
  db: Db,
  organisationId: number,
  current: StoredEntity,
  uids: ReadonlySet<string>,
): Promise<readonly ReferenceItem[]> {
  const stays = ({ uid }: { uid: string }) => !uids.has(uid)
  const { typeAttributes, entityAttributes } = current.content
  const next = {
    ...current.content,
    typeAttributes: typeAttributes.filter(stays),
    entityAttributes: entityAttributes.filter(stays),
  }
  return (await columnLoss(db, organisationId, { current, next, onReferences: () => undefined }))?.items ?? []
}

/** References to inherited columns that would break without the parent. */
export async function referencesToInherited(
  db: Db,
  organisationId: number,
  current: StoredEntity,
): Promise<readonly ReferenceItem[]> {
  const next = { ...current.content, extendsEntity: null }
  return (await columnLoss(db, organisationId, { current, next, onReferences: () => undefined }))?.items ?? []
}

type Follow = { onReferences: ReferenceHandling; except?: ReadonlySet<number> }

/**
 * After the change is written: relationships to a removed column follow its name to its replacement, become attributes
 * or are removed, and configurations no longer name it; each with an audit entry. Repeats this for columns that are
 * removed as a result.
 */
export async function followLoss(
  tx: Tx,
  change: Change,
  work: Work,
  loss: ColumnLoss,
  { onReferences, except }: Follow,
): Promise<void> {
  const { view, before } = loss
  for (const configurationLoss of loss.configurations) await rewriteConfiguration(tx, change, work, configurationLoss)
  for (const id of loss.referrers) {
    // Read again to include writes since the loss was computed.
    const stored = await entitiesByIds(tx, change.organisationId, [id])
    const [entity] = await withCurrentNames(tx, change.organisationId, stored.values())
    if (!entity) continue
    const next = releaseReferences(entity.content, { view, before, onReferences })
    if (next === entity.content) continue
    const lost = lostIn(entity.content, view)
    const names = lost.map(item => `${before(item.entityId)?.name ?? ''}.${item.lost.name}`)
    const isGone = lost.some(item => item.lost.now === null)
    const describe = isGone ? auditTexts.detached : auditTexts.referencesUpdated
    const description = describe(named([...new Set(names)]))
    // Columns are removed only with a relationship by explicit choice, so references to them are removed too.
    const follow: Follow = { onReferences: () => 'remove', ...(except ? { except } : {}) }
    await rewriteEntity(tx, change, work, { entity, next, description, ...follow })
  }
}

type Rewrite = Follow & { entity: StoredEntity; next: StoredEntity['content']; description: string }

/**
 * Writes an entity changed by a change of another, with the consequences for further entities. The automatic key replaces a lost key, also
 * in subtypes.
 */
export async function rewriteEntity(tx: Tx, change: Change, work: Work, rewrite: Rewrite): Promise<void> {
  const { entity, next, description, ...follow } = rewrite
  const keyed = await withSettledKey(tx, change.organisationId, entity, next, columnsWithKey)
  const sentences = [description, ...(keyed === next ? [] : [auditTexts.keyReplaced(entity.name)])]
  const { steps } = await subtypeSteps(tx, change.organisationId, entity, keyed)
  await writeRewritten(tx, change, work, { ...rewrite, next: keyed, description: sentences.join(' ') })
  await settleSubtypes(tx, change, work, steps, follow)
}

async function writeRewritten(
  tx: Tx,
  change: Change,
  work: Work,
  { entity, next, description, ...follow }: Rewrite,
): Promise<void> {
  const { organisationId, actor } = change
  const loss = await columnLoss(tx, organisationId, { current: entity, next, ...follow })
  const content = withSettledConstraints(loss?.content ?? next, entity.content)
  const write = { id: entity.id, from: entity, content, path: entity.path }
  const hash = await setEntityContent(tx, organisationId, write, actor)
  if (hash === undefined) throw new WriteConflict()
  work.audit(entityChanged(entity, { content, hash }, description))
  if (loss) await followLoss(tx, change, work, loss, follow)
}

/** Applies each step to the current state of the subtype, after the change is written. */
export async function settleSubtypes(
  tx: Tx,
  change: Change,
  work: Work,
  steps: readonly SubtypeStep[],
  follow: Follow,
): Promise<void> {
  for (const { current, next, description } of steps) {
    const stored = await entitiesByIds(tx, change.organisationId, [current.id])
    const [entity] = await withCurrentNames(tx, change.organisationId, stored.values())
    if (!entity) continue
    const content = applyEntityEdits(entity.content, entityEditsBetween(current.content, next))
    await writeRewritten(tx, change, work, { entity, next: content, description, ...follow })
  }
}

async function rewriteConfiguration(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { manifest, stored: before, left }: ConfigurationLoss,
): Promise<void> {
  const locked = await lockManifest(tx, organisationId, manifest.id)
  if (locked?.configuration_hash !== manifest.configuration_hash) throw new WriteConflict()
  const after = await resolveNamesIn(tx, manifest, left, before.named)
  const hash = await putConfiguration(tx, organisationId, after)
  await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
  await auditConfiguration(tx, work, manifest, { before, after })
}
