import { canonicalJson } from '@cadmus/model/content'
import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import type { OnReferences } from '@cadmus/model/detach'
import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import {
  saveEntities,
  saveEntitiesTogether,
  saveEntityContent,
  saveEntityEdits,
  settleEntityEdits,
} from '../../api/edits.ts'
import { entityStates } from '../../api/edit-log.ts'
import { entityQuery, type LoadedEntity } from '../../api/entities.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import { lastChangesOf } from '../../api/logs.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Scope } from '../../api/scope.ts'
import { sessionStore } from '../../api/session-store.ts'
import { conflictWords, placeWords } from '../../commands/entity-words.ts'
import { confirmImpact } from '../../commands/impact.ts'
import { askAboutReferences } from '../../commands/references.ts'
import { type DraftKey, type DraftPlace, placeOf } from '../../drafts/draft-key.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { causeOf } from '../../drafts/moved-steps.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { saveAsNewDialog } from './dialogs.ts'
import { changesImportedParts, editsToSend, type EntityDraft, referenceAnswers } from '../../drafts/entity-draft.ts'
import { entityStore, type OpenEntity } from '../../drafts/entity-store.ts'
import {
  causeOfMove,
  editsOfMove,
  linkMoves,
  type MovePartner,
  movePartners,
  type Partners,
  takeMoveTogether,
} from './linked-moves.ts'
import { recreateEntity, refusedPlace } from './save-as-new.ts'

/** Maximum number of problems reported per save. */
const maxReported = 5

type Row = { kind: Selection['kind']; uid: string; name: string; field: string }

/** Shows the row of the first problem, and returns the failure with the places of all problems added. */
function showFirstProblem(id: number, failure: unknown, content: EntityContent, scope: Scope): unknown {
  if (!(failure instanceof ApiError) || failure.errors.length === 0) return failure
  const rows = failure.errors.map(({ path }) => rowAt(path, content))
  if (rows.every(row => row === null)) return failure
  const [first] = rows
  const tabId = tabIdOf({ kind: 'entity', id }, scope)
  const { active, show, select } = workbench.getState()
  if (first && active === tabId) {
    show(tabId, { tab: first.kind === 'entityAttribute' ? 'relationships' : undefined })
    select(tabId, { kind: first.kind, uids: [first.uid], reveal: true })
  }
  const lines = failure.errors.map(({ message }, index) => {
    const row = rows[index]
    return row ? `${placeWords(row)}: ${message}` : message
  })
  const more = lines.length > maxReported ? [messages.referring.more(lines.length - maxReported)] : []
  return failure.with({ message: [...lines.slice(0, maxReported), ...more].join('\n') })
}

/**
 * The row and field of a path such as `typeAttributes.2.defaultValue`; null if the path is in neither list.
 */
function rowAt(path: string, content: EntityContent): Row | null {
  const [list, index, field = ''] = path.split('.')
  if (list === 'typeAttributes') {
    const row = content.typeAttributes[Number(index)]
    return row ? { kind: 'typeAttribute', uid: row.uid, name: row.name, field } : null
  }
  if (list !== 'entityAttributes') return null
  const row = content.entityAttributes[Number(index)]
  return row ? { kind: 'entityAttribute', uid: row.uid, name: row.foreignKeyTypeAttribute, field } : null
}

entityStore.connect({
  send,
  settle: async ({ id, sent }, { version, scope }) => {
    const stored = await settleEntityEdits({ id: sent.saved.id, version, scope }, id, sent.etag)
    return stored && { saved: stored.entity, etag: stored.etag }
  },
  load: async ({ id, version, scope }) => {
    const { entity, etag } = await queryClient.fetchQuery({ ...entityQuery(id, version, scope), staleTime: 0 })
    return { saved: entity, etag }
  },
  success: messages.entitySaved,
  findAuthors: async ({ id }, places, scope) => lastChangesOf('entity', id, places, scope),
  log: { kind: 'entity', states: entityStates, words: conflictWords, together: takeMoveTogether },
  together: { parts: partsOfSave, send: sendParts },
  saveAsNew: saveEntityAsNew,
})

linkTabs(entityStore)
linkMoves()

async function send(sent: EntityDraft, { version, scope }: DraftPlace, operationId: string) {
  const { saveTitle: title, saveText: text } = messages.referring
  const question = { title, text, confirmLabel: 'Save' }
  const { etag: base, saved } = sent
  const { id, currentVersion } = saved
  const answers = referenceAnswers(sent)
  const saveContent = async (onReferences?: OnReferences) => {
    const body = { id, content: canonicalJson(sent.content), version: currentVersion, onReferencesTo: answers }
    const query = { saveId: operationId, onReferences }
    return saveEntityContent({ id, version, scope }, { base, query, body }).catch((failure: unknown) => {
      // If the server sent no message, lists the unsaved parts.
      if (!(failure instanceof ApiError)) throw failure
      throw failure.with({ message: messageOf(failure, messages.failed.entityContent) })
    })
  }
  const saveEdits = async (others?: OnReferences) => {
    const edits = editsToSend(sent)
    const onReferences = others ? { '*': others, ...answers } : answers
    const save = { base, version: currentVersion, edits, onReferences, cause }
    const saving = isMove
      ? saveMove({ id, ...save }, partners, { operationId, scope })
      : saveEntityEdits({ id, version, scope }, { operationId, ...save })
    return saving.catch((failure: unknown) => {
      throw showFirstProblem(id, failure, applyEntityEdits(sent.base, edits), scope)
    })
  }
  const partners = movePartners(sent, { id, version, scope })
  const isMove = partners.sources.length + partners.targets.length > 0
  const cause = causeOf(sent.done)
  // The server restores what the edits of a reversal cannot hold from the state in the log.
  const isReversal = cause !== undefined && cause.kind !== 'restore'
  if (version === undefined && !(await isImpactAccepted(sent, scope))) return undefined
  const asContent = version === undefined && !isMove && !isReversal && isSavedAsContent(sent, scope)
  const response = await askAboutReferences(question, asContent ? saveContent : saveEdits)
  return response && { saved: response.entity, etag: response.etag }
}

type Sent = { key: DraftKey; draft: EntityDraft }

/** Latest versions without moved columns, which are saved with the other entity. */
function partsOfSave(drafts: readonly Sent[]): Sent[][] {
  const parts: Sent[][] = []
  let edits = Number.POSITIVE_INFINITY
  for (const sent of drafts) {
    const { key, draft } = sent
    const place = placeOf(key)
    const { sources, targets } = movePartners(draft, place)
    if (place.version !== undefined || sources.length + targets.length > 0 || isSavedAsContent(draft, place.scope))
      continue
    const count = editsToSend(draft).length
    const last = parts.at(-1)
    if (!last || last.length === limits.changedDocuments || edits + count > limits.changedEdits) {
      parts.push([sent])
      edits = count
    } else {
      last.push(sent)
      edits += count
    }
  }
  return parts
}

async function sendParts(part: readonly Sent[], operationId: string) {
  const accepted: Sent[] = []
  for (const sent of part) if (await isImpactAccepted(sent.draft, placeOf(sent.key).scope)) accepted.push(sent)
  const [first] = accepted
  if (!first) return new Map<DraftKey, null>()
  const changes = accepted.map(({ draft }) => {
    const { id, currentVersion: version } = draft.saved
    const common = { base: draft.etag, version, onReferences: referenceAnswers(draft), cause: causeOf(draft.done) }
    return { id, edits: editsToSend(draft), ...common }
  })
  const states = await saveEntities(changes, { operationId, scope: placeOf(first.key).scope })
  return new Map(
    accepted.map(({ key, draft }) => {
      const loaded = states?.get(draft.saved.id)
      return [key, loaded ? { saved: loaded.entity, etag: loaded.etag } : null] as const
    }),
  )
}

/** Shows what the save breaks, if it breaks something. */
async function isImpactAccepted(sent: EntityDraft, scope: Scope): Promise<boolean> {
  const { id, targetManifest } = sent.saved
  const edits = editsToSend(sent)
  const tabId = tabIdOf({ kind: 'entity', id }, scope)
  const isHidden = workbench.getState().tabs.some(tab => tab.tabId === tabId && tab.hidden)
  // The list of scopes shows what they mean; a question for each of its entities would be too many.
  if (isHidden && edits.every(({ kind }) => kind === 'changeScopes')) return true
  const place = { id, name: sent.content.name, home: targetManifest?.id ?? null }
  return confirmImpact({ ...place, edits, scope })
}

type OwnChange = Parameters<typeof saveEntitiesTogether>[1][number]

/** Saves a move in both entities or in none: the entities that lose columns come first. */
async function saveMove(
  own: OwnChange,
  { sources, targets }: Partners,
  place: { operationId: string; scope: Scope },
): Promise<LoadedEntity> {
  const changeOf = (partner: MovePartner): OwnChange => {
    const { saved, etag } = partner.draft
    const onReferences = { ...own.onReferences, ...referenceAnswers(partner.draft) }
    const edits = editsOfMove(partner)
    const cause = causeOfMove(partner, edits)
    return { id: saved.id, base: etag, version: saved.currentVersion, edits, onReferences, cause }
  }
  const changes = [...sources.map(changeOf), own, ...targets.map(changeOf)]
  const partners = [...sources, ...targets]
  const loaded = await saveEntitiesTogether(own.id, changes, place).catch((failure: unknown) => {
    const id = failure instanceof ApiError ? failure.document?.id : undefined
    const other = partners.find(({ draft }) => draft.saved.id === id)
    if (!other || !(failure instanceof ApiError)) throw failure
    void entityStore.lookAgain(other.key, failure)
    // Conflicts and places of the other entity mean nothing in this one.
    const { status, code, references } = failure
    const message = attributeTexts.moves.elsewhere(other.draft.content.name, failure.message)
    throw new ApiError(status, { code, message, references })
  })
  await Promise.all(partners.map(({ key }) => readAgain(key)))
  return loaded
}

/** If it cannot be read now, it is read when it is shown. */
async function readAgain(key: DraftKey): Promise<void> {
  const { id, scope } = placeOf(key)
  const loaded = await queryClient.fetchQuery({ ...entityQuery(id, undefined, scope), staleTime: 0 }).catch(() => null)
  if (loaded) entityStore.dispatch(key, { kind: 'loaded', loaded: { saved: loaded.entity, etag: loaded.etag } })
}

/** Whether to save as content: the Json tab (administrators only) is shown, or made changes that only it can make. */
function isSavedAsContent(sent: EntityDraft, scope: Scope): boolean {
  if (sessionStore.getState().user?.isAdmin !== true) return false
  const tabId = tabIdOf({ kind: 'entity', id: sent.saved.id }, scope)
  return workbench.getState().shown.get(tabId)?.tab === 'json' || changesImportedParts(sent)
}

/**
 * Saves the draft of a deleted entity as a new one in the same place; asks for another place if that place is refused.
 * Resolves to false then.
 */
async function saveEntityAsNew(key: DraftKey, open: OpenEntity): Promise<boolean> {
  const { saved, content } = open.draft
  const place = { name: content.name, manifest: saved.targetManifest }
  try {
    await recreateEntity(key, open, place)
    return true
  } catch (failure) {
    if (!(failure instanceof ApiError) || !refusals.has(failure.status)) throw failure
    openDialog(saveAsNewDialog, { at: key, open, ...refusedPlace(place, failure) })
    return false
  }
}

/** Statuses that another name or manifest may resolve. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 409])
