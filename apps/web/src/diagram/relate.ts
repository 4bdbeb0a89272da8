import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { columnName, columnsOf, isKey, isTypeAttribute } from '@cadmus/model/columns'
import { mayEditAttributes } from '@cadmus/model/locks'
import { messages } from '@cadmus/model/messages'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { takenNames } from '@cadmus/model/rules/names'
import { foreignKeyName, newForeignKeyName } from '@cadmus/model/rules/relationship'
import { entityQuery, type LoadedEntity } from '../api/entities.ts'
import { messageOf } from '../api/error.ts'
import { queryClient } from '../api/query-client.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { editEntity, undoInMessage } from '../drafts/edit-entity.ts'
import { draftPrimaryKey, type EntityDraft, entityDrafts } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { type NewRelationship, newRelationshipEdits, targetsOf } from '../drafts/new-relationship.ts'
import { notify } from '../ui/notices.ts'
import { confirm } from '../workbench/confirm.ts'
import type { ModelStep } from './view-session.ts'

const { relate: texts } = handTexts

type Named = { id: number; name: string }

/** A relationship with the defaults of the New Relationship dialog, or why there can be none. */
type Plan = { relationship: NewRelationship; text: string; replaces: boolean }
type Refusal = { reason: string }

/** `attribute`: uid of the attribute that becomes the foreign key; of a key or of none: a new column. */
function planRelationship(draft: EntityDraft, target: EntityAnswer, attribute?: string): Plan | Refusal {
  const { saved, content } = draft
  const verdict = mayEditAttributes(saved)
  if (!verdict.allowed) return { reason: verdict.reason }
  if (saved.id === target.id) return { reason: texts.itself }
  const key = targetsOf(target).find(({ isPrimaryKey }) => isPrimaryKey)
  if (!key) return { reason: texts.noKey(target.name) }
  const columns = columnsOf(content)
  const column = columns.find(({ uid, ...one }) => uid === attribute && !isKey({ uid, ...one }))
  if (column && !isTypeAttribute(column)) return { reason: texts.isForeignKey(columnName(column)) }
  const taken = [...columns.map(columnName), ...(saved.resolvedAttributes ?? []).map(({ name }) => name)]
  const name = column ? column.name : newForeignKeyName(target.name, key.name, taken)
  const foreignKeys = takenNames(content.entityAttributes.map(item => item.foreignKeyTypeAttribute))
  const problem = foreignKeyName(name, { primaryKey: draftPrimaryKey(draft), taken: foreignKeys })
  if (problem !== undefined) return { reason: problem }
  return {
    relationship: {
      associatedEntity: { id: target.id, name: target.name, location: target.path },
      associatedEntityTypeAttribute: key.name,
      foreignKeyTypeAttribute: name,
      foreignKeyDataType: key.dataType,
    },
    text: texts.preview(name, target.name, key.name),
    replaces: column !== undefined,
  }
}

/** What a relationship would be, as text. */
export async function previewRelationship(from: Named, target: Named, attribute?: string): Promise<string> {
  const plan = await readPlan(from, target, attribute)
  return 'reason' in plan ? plan.reason : plan.text
}

/** Adds a relationship to the draft of an entity, which opens in a tab of its own; null: it cannot, and a notice gives the reason. */
export async function addRelationship(from: Named, target: Named, attribute?: string): Promise<ModelStep | null> {
  try {
    const plan = await readPlan(from, target, attribute)
    if ('reason' in plan) return refuse(plan.reason)
    const { foreignKeyTypeAttribute } = plan.relationship
    const question = {
      title: messages.confirm.addRelationshipTitle,
      text: messages.replacesAttribute(foreignKeyTypeAttribute),
      confirmLabel: 'Continue',
    }
    if (plan.replaces && !(await confirm(question))) return null
    return await addTo(plan.loaded, plan.relationship, plan.text)
  } catch (failure) {
    return refuse(messageOf(failure, messages.failed.unexpected))
  }
}

function refuse(reason: string): null {
  notify('info', reason)
  return null
}

async function readPlan(
  from: Named,
  target: Named,
  attribute?: string,
): Promise<(Plan & { loaded: LoadedEntity }) | Refusal> {
  const missing = [from, target].find(({ id }) => id < 1)
  if (missing) return { reason: texts.missing(missing.name) }
  const [loaded, { entity }] = await Promise.all([
    queryClient.fetchQuery(entityQuery(from.id)),
    queryClient.fetchQuery(entityQuery(target.id)),
  ])
  const draft = entityStore.get(draftKey(from.id, undefined))?.draft
  const plan = planRelationship(draft ?? entityDrafts.open(loaded.entity, loaded.etag), entity, attribute)
  return 'reason' in plan ? plan : { ...plan, loaded }
}

async function addTo(loaded: LoadedEntity, relationship: NewRelationship, text: string): Promise<ModelStep | null> {
  const { currentVersion } = loaded.entity
  const step = await editEntity(loaded, content => newRelationshipEdits(content, relationship, currentVersion))
  if (step) notify('success', texts.added(text), undoInMessage(step), { isUnsaved: step.isPresent })
  return step
}
