import { canonicalJson } from '@cadmus/model/content'
import type { EntityContent, OperationScopes } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import { putContent } from '../../store/content.ts'
import type { Db } from '../../store/database.ts'
import { writeScopes } from '../../store/entity-content.ts'
import { setEntityScopes } from '../../store/entity-scopes.ts'
import { setFrozenContent } from '../../store/entity-version.ts'
import type { StoredEntity } from '../../store/entity.ts'
import { type Change, type Ids, LostRace } from '../change.ts'
import { describeChange } from './describe-change.ts'

/** The organisation's own scopes of a predefined entity, kept beside it. */
export async function storeOwnScopes(
  tx: Db,
  { organisationId, actor }: Change,
  ids: Ids,
  { entity, operationScopes }: { entity: StoredEntity; operationScopes: OperationScopes },
): Promise<string> {
  if (isEqual(operationScopes, entity.content.operationScopes)) return entity.content_hash
  const content: EntityContent = { ...entity.content, operationScopes }
  // Both states are the organisation's own: later saves are merged against them, and the log shows them.
  await putContent(tx, organisationId, canonicalJson(entity.content))
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  const text = writeScopes(operationScopes)
  const isSet = await setEntityScopes(tx, organisationId, entity.id, { from: entity.own_scopes, to: text })
  if (!isSet) throw new LostRace()
  await appendAudit(tx, organisationId, actor, [entryOf(ids, entity, content, hash, entity.content_hash)])
  return hash
}

/** The scopes of a frozen version: the one thing of it that can still be changed. */
export async function storeFrozenScopes(
  tx: Db,
  { organisationId, actor }: Change,
  ids: Ids,
  change: {
    entity: StoredEntity
    version: { number: string; hash: string; content: EntityContent }
    operationScopes: OperationScopes
  },
): Promise<string> {
  const { entity, version, operationScopes } = change
  if (isEqual(operationScopes, version.content.operationScopes)) return version.hash
  const content: EntityContent = { ...version.content, operationScopes }
  const hash = await putContent(tx, organisationId, canonicalJson(content))
  const step = { version: version.number, from: version.hash, to: hash }
  if (!(await setFrozenContent(tx, organisationId, entity.id, step))) throw new LostRace()
  const entry = entryOf(ids, { ...entity, content: version.content }, content, hash, version.hash)
  await appendAudit(tx, organisationId, actor, [
    { ...entry, description: `Version ${version.number}: ${entry.description}` },
  ])
  return hash
}

function entryOf(
  ids: Ids,
  entity: StoredEntity,
  content: EntityContent,
  updatedHash: string,
  originalHash: string,
): AuditEntry {
  return {
    id: ids.next(),
    kind: 'ENTITY',
    targetId: entity.id,
    action: 'UPDATE',
    name: entity.name,
    path: entity.path,
    description: describeChange(entity.content, content),
    originalHash,
    updatedHash,
  }
}
